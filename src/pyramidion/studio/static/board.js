// A list of content units: as stored on the server, and with the edits that still wait in this browser.
import { announce, call, newKey } from './api.js';
import { showNotice } from './notice.js';
import { Queue } from './queue.js';

const without = (items, index) => items.filter((_, number) => number !== index);
const inserted = (items, index, item) => [...items.slice(0, index), item, ...items.slice(index)];

const POLL = 4000;
// Edits that can be sent again as they are if somebody else has changed the unit.
const REPEATABLE = ['Relabel', 'AddUnit', 'AddContributor'];

// Edits, to show their effect before the server answers.
const EDITS = {
  AddUnit: (list, e) => list.add(e.id, { label: e.label, comment: '', contributors: e.contributors ?? [] }, e.at),
  RemoveUnit: (list, e) => list.remove(e.uid),
  Relabel: (list, e) => list.set(e.uid, e.comment === undefined ? { label: e.label } : { label: e.label, comment: e.comment }),
  MoveUnit: (list, e) => list.move(e.uid, e.at),
  AddContributor: (list, e) => list.set(e.uid, { contributors: inserted(list.contributorsOf(e.uid), e.at, e.contributor) }),
  RemoveContributor: (list, e) => list.set(e.uid, { contributors: without(list.contributorsOf(e.uid), e.at) }),
  SetContributor: (list, e) => list.set(e.uid, { contributors: inserted(without(list.contributorsOf(e.uid), e.at), e.at, e.contributor) }),
  MoveContributor: (list, e) => {
    const moved = list.contributorsOf(e.uid)[e.at];
    list.set(e.uid, { contributors: without(list.contributorsOf(e.uid), e.at) });
    list.set(e.to, { contributors: inserted(list.contributorsOf(e.to), e.to_at, moved) });
  },
  Merge: (list, e) => {
    list.set(e.into, { contributors: [...list.contributorsOf(e.into), ...list.contributorsOf(e.uid)] });
    list.remove(e.uid);
  },
  Split: (list, e) => {
    const taken = e.places.map((index) => list.contributorsOf(e.uid)[index]);
    list.set(e.uid, { contributors: list.contributorsOf(e.uid).filter((_, index) => !e.places.includes(index)) });
    list.add(e.id, { label: e.label, comment: '', contributors: taken }, e.at);
  },
};

// Content units by id, in order; every change returns a new list.
class List {
  constructor(order, units) {
    Object.assign(this, { order, units });
  }

  // An edit of a unit that somebody else has removed changes nothing.
  after(edit) {
    const copy = new List([...this.order], { ...this.units });
    if (this.order.length && [edit.uid, edit.into].some((uid) => uid && !this.units[uid])) return this;
    EDITS[edit.edit](copy, edit);
    return copy;
  }

  contributorsOf(uid) {
    return this.units[uid]?.contributors ?? [];
  }

  set(uid, changes) {
    const unit = { uid, ...this.units[uid], ...changes };
    this.units[uid] = { ...unit, weight: unit.contributors.length };
  }

  add(uid, unit, at) {
    this.set(uid, unit);
    this.order.splice(at, 0, uid);
  }

  remove(uid) {
    delete this.units[uid];
    this.order.splice(this.order.indexOf(uid), 1);
  }

  move(uid, at) {
    this.order.splice(this.order.indexOf(uid), 1);
    this.order.splice(at, 0, uid);
  }
}

// The ids of the units that an edit concerns; a new unit is named by the key of its event.
const unitsOf = ({ key, edit = {} }) => [edit.uid, edit.into, edit.to, `new:${key}`].filter(Boolean);

// Whether an event cannot be sent because it builds on one that was refused.
function buildsOn(refused, event) {
  if (refused.action === 'refuse' || refused.action === 'keep') return false;
  if (event.action !== 'do' || refused.action !== 'do') return event.action !== 'refuse';
  return unitsOf(event).some((uid) => unitsOf(refused).includes(uid));
}

// All tabs of a browser share their waiting edits, so they are one author.
function browserName() {
  const name = 'pyramidion.browser';
  try {
    if (!localStorage.getItem(name)) localStorage.setItem(name, newKey());
    return localStorage.getItem(name);
  } catch { return newKey(); }
}

// Talks to the server. `render` is called whenever there is something new to show.
export class Board {
  constructor(desk, render) {
    const { api, query = '', kind, queue } = desk.dataset;
    Object.assign(this, { api, query, isSheet: kind === 'sheet', render, page: browserName() });
    Object.assign(this, { uids: {}, people: [], notes: {}, seenEvents: new Map(), answers: new Map(), unit: () => '' });
    this.queue = new Queue({
      name: queue,
      address: api + query,
      changed: () => this.changed(),
      answered: (answer) => this.answered(answer),
      details: () => (this.whole ? { version: this.whole.version } : {}),
      follows: buildsOn,
    });
    this.refusals = this.queue.refused.length;
    addEventListener('beforeunload', (event) => { if (this.queue.isFragile && this.waiting) event.preventDefault(); });
    addEventListener('pagehide', () => this.queue.send({ closing: true }));
  }

  get waiting() { return this.queue.unsent; }

  // Edits of an earlier visit are sent first.
  async load() {
    await this.queue.send();
    this.take(await call('GET', this.api + this.query));
    // Some may have been stored in the meantime.
    if (this.latest > this.whole.version) await this.refresh();
    setInterval(() => { if (!document.hidden && !this.waiting) this.refresh(); }, POLL);
    this.changed();
  }

  // Updates the stored state from an answer, which may contain changed units only.
  take(answer) {
    const before = this.sure?.pyramid ?? new List([], {});
    this.whole = { ...this.whole, ...answer };
    for (const [key, uid] of Object.entries(answer.uids ?? {})) this.uids[`new:${key}`] = uid;
    let pyramid = before;
    if (answer.order) {
      const units = { ...before.units };
      for (const unit of answer.units) units[unit.uid] = unit;
      pyramid = new List(answer.order, Object.fromEntries(answer.order.map((uid) => [uid, units[uid]])));
    }
    const marks = new List([], Object.fromEntries(Object.entries(this.whole.marks ?? {}).map(([uid, contributors]) => [uid, { uid, contributors }])));
    this.sure = { pyramid, marks };
  }

  // The server has stored events; their effect is part of its answer.
  answered(answer) {
    this.latest = answer.version;
    if (this.whole) this.take(answer);
    for (const key of answer.stored) {
      this.seenEvents.delete(key);
      this.answers.get(key)?.(true);
      this.answers.delete(key);
    }
  }

  // Shows what others have changed, and who is at work.
  async refresh() {
    const vanished = [...this.vanished];
    const query = new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(this.query)), seen: this.whole.version, unit: this.unit() ?? '' });
    const answer = await call('GET', `${this.api}?${query}`).catch(() => null);
    if (!answer || answer.version < this.whole.version) return;
    for (const { key } of vanished) this.seenEvents.delete(key);
    const before = JSON.stringify(answer.people) === JSON.stringify(this.people);
    this.people = answer.people;
    if (answer.order) {
      const old = this.sure;
      this.take(answer);
      this.compare(old, answer.changes);
    } else if (before && !vanished.length) return;
    this.show();
  }

  // Notes which units others have changed.
  compare(old, changes) {
    const who = [...new Set(changes.map((change) => change.who ?? 'somebody else'))].join(', ');
    const differs = ([uid, unit]) => JSON.stringify(unit) !== JSON.stringify(old.pyramid.units[uid]);
    const changed = Object.entries(this.sure.pyramid.units).filter(differs);
    this.notes = Object.fromEntries(changed.map(([uid]) => [uid, `changed by ${who}`]));
    if (changed.length) announce(`${changed.length} ${changed.length === 1 ? 'unit was' : 'units were'} changed by ${who}.`);
  }

  // What to show for a unit in addition to its text.
  note(uid) {
    const here = this.people.filter(({ unit }) => unit === uid).map(({ who }) => `${who || 'somebody'} is here`);
    return [this.notes[uid], ...here].filter(Boolean).join(' · ');
  }

  // Events that another tab has sent, until the next answer contains their effect.
  get vanished() {
    const keys = new Set([...this.queue.events, ...this.queue.refused].map(({ key }) => key));
    return [...this.seenEvents.values()].filter(({ key }) => !keys.has(key));
  }

  changed() {
    for (const event of this.queue.events) this.seenEvents.set(event.key, event);
    for (const { key, reason } of this.queue.refused.slice(this.refusals)) {
      this.seenEvents.delete(key);
      this.answers.get(key)?.(false);
      announce(`Not stored: ${reason}.`);
    }
    this.refusals = this.queue.refused.length;
    if (!this.whole) return;
    this.show();
    if (this.vanished.length && !this.waiting) this.refresh();
  }

  show() {
    this.seen = this.view();
    this.render();
    showNotice(this.queue, { unit: 'change', describe: (event) => this.describe(event), again: (event) => this.again(event) });
  }

  // Returns the stored state with the effect of waiting events.
  view() {
    const name = this.isSheet ? 'marks' : 'pyramid';
    let list = this.sure[name];
    const [done, undone] = [[], []];
    for (const { key, action, edit } of [...this.vanished, ...this.queue.events]) {
      if (action === 'do') {
        done.push(list);
        list = list.after({ ...this.renamed(edit), id: `new:${key}` });
        undone.length = 0;
      } else if (['undo', 'redo'].includes(action)) {
        // Only waiting edits can be undone here; the server knows the stored ones.
        const [from, to] = action === 'undo' ? [done, undone] : [undone, done];
        if (from.length) { to.push(list); list = from.pop(); }
      }
    }
    return { ...this.sure, [name]: list };
  }

  // Replaces the names of new units by the ids that they have got since.
  renamed(edit) {
    const names = Object.fromEntries(['uid', 'into', 'to'].filter((name) => edit[name]).map((name) => [name, this.uids[edit[name]] ?? edit[name]]));
    return { ...edit, ...names };
  }

  get pyramid() { return this.seen.pyramid; }

  get marks() { return this.seen.marks; }

  get units() { return this.pyramid.order.map((uid) => this.pyramid.units[uid]); }

  get isSubmitted() {
    const last = this.queue.events.findLast(({ action }) => ['submit', 'reopen'].includes(action));
    return last ? last.action === 'submit' : this.whole.submitted;
  }

  get mayEdit() { return this.isSubmitted === this.whole.submitted ? this.whole.may_edit : !this.isSubmitted; }

  // Shows an edit at once and sends it when possible; returns the name of a unit that it adds.
  edit(edit, { suggested } = {}) {
    const key = newKey();
    this.send('do', { key, edit, ...(suggested ? { suggested } : {}) });
    return `new:${key}`;
  }

  // Resolves with whether the event was stored.
  send(action, details = {}) {
    const event = { key: newKey(), action, page: this.page, version: this.whole.version, ...details };
    const sent = new Promise((resolve) => { this.answers.set(event.key, resolve); });
    this.queue.add(event);
    return sent;
  }

  describe({ action, edit = {} }) {
    const what = edit.label ?? edit.comment ?? this.pyramid.units[edit.uid]?.label ?? '';
    return [edit.edit ?? action, what && `“${what}”`].filter(Boolean).join(' ');
  }

  again(event) {
    if (!REPEATABLE.includes(event.edit?.edit)) return null;
    return () => { this.queue.forgetRefused(event.key); this.edit(this.renamed(event.edit)); };
  }
}
