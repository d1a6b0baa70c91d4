// A list of content units: as stored on the server, and as shown while an edit is being sent.
import { call, newKey, announce } from './api.js';

const without = (items, index) => items.filter((_, number) => number !== index);
const inserted = (items, index, item) => [...items.slice(0, index), item, ...items.slice(index)];

// Edits, to show their effect before the server answers.
const EDITS = {
  AddUnit: (list, e) => list.add(list.next, { label: e.label, comment: '', contributors: e.contributors ?? [] }, e.at),
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
    list.add(list.next, { label: e.label, comment: '', contributors: taken }, e.at);
  },
};

// Content units by id, in order; every change returns a new list.
class List {
  constructor(order, units, next) {
    Object.assign(this, { order, units, next });
  }

  after(edit) {
    const copy = new List([...this.order], { ...this.units }, this.next);
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

// Talks to the server. `render` is called whenever there is something new to show.
export class Board {
  constructor(desk, render) {
    Object.assign(this, { api: desk.dataset.api, query: desk.dataset.query ?? '', isSheet: desk.dataset.kind === 'sheet', render });
    this.waiting = 0;
    this.refusals = 0;
    this.tail = Promise.resolve();
    // Unsaved edits would be lost with the page.
    addEventListener('beforeunload', (event) => { if (this.waiting) event.preventDefault(); });
  }

  async load() {
    this.whole = await call('GET', this.api + this.query);
    this.take(this.whole, new List([], {}, '1'));
    Object.assign(this, { past: [], future: [] });
    this.show();
  }

  // Updates the stored state from an answer, which contains changed units only.
  take(answer, before = this.sure.pyramid) {
    Object.assign(this.whole, answer);
    let pyramid = before;
    if (answer.order) {
      const units = { ...before.units };
      for (const unit of answer.units) units[unit.uid] = unit;
      const remaining = Object.fromEntries(answer.order.map((uid) => [uid, units[uid]]));
      pyramid = new List(answer.order, remaining, answer.next);
    }
    const marks = new List([], Object.fromEntries(Object.entries(this.whole.marks ?? {}).map(([uid, contributors]) => [uid, { uid, contributors }])));
    this.sure = { pyramid, marks };
  }

  show() {
    this.seen = { ...this.sure };
    this.render();
  }

  get pyramid() { return this.seen.pyramid; }

  get marks() { return this.seen.marks; }

  get units() { return this.pyramid.order.map((uid) => this.pyramid.units[uid]); }

  // Shows an edit at once and sends edits in order.
  edit(edit, { suggested } = {}) {
    const list = this.isSheet ? 'marks' : 'pyramid';
    this.past.push(this.seen);
    this.future = [];
    this.seen = { ...this.seen, [list]: this.seen[list].after(edit) };
    return this.send('edits', { edit, ...(suggested ? { suggested } : {}) });
  }

  step(action) {
    // Only edits of this page are known here; the server knows older ones.
    const [from, to] = action === 'undo' ? [this.past, this.future] : [this.future, this.past];
    if (from.length) {
      to.push(this.seen);
      this.seen = from.pop();
    }
    return this.send(action, {});
  }

  send(action, body, { versioned = true } = {}) {
    this.waiting += 1;
    this.render();
    const key = newKey();
    const { refusals } = this;
    const sent = this.tail.then(async () => {
      // Edits that build on a refused one are dropped.
      if (refusals !== this.refusals) { this.waiting -= 1; return false; }
      const payload = versioned ? { key, version: this.whole.version, ...body } : { key, ...body };
      const answer = await patient(() => call('POST', `${this.api}/${action}${this.query}`, payload));
      this.waiting -= 1;
      this.take(answer);
      if (!this.waiting) this.show();
      return true;
    });
    this.tail = sent.catch((error) => this.refused(error));
    return this.tail;
  }

  // Shows the stored state if it differs.
  async refused(error) {
    this.waiting -= 1;
    this.refusals += 1;
    const changes = [...new Set((error.content?.changes ?? []).map((change) => [change.who, change.edit || change.action].filter(Boolean).join(': ')))];
    await this.load().catch(() => this.show());
    const what = error.status ? error.message : 'There is no connection.';
    announce(`Not stored. ${what}${changes.length ? ` (${changes.join('; ')})` : ''}`);
    return false;
  }
}

// Retries until the network is back; the key ensures that the server applies it once.
async function patient(send) {
  for (let pause = 300; ; pause = Math.min(5000, 2 * pause)) {
    try {
      const answer = await send();
      if (pause > 300) announce('The connection is back, and everything is stored.');
      return answer;
    } catch (error) {
      if (error.status && error.status < 500) throw error;
      announce('The connection is lost; trying again. Keep this page open.');
      await new Promise((resolve) => { setTimeout(resolve, pause); });
    }
  }
}
