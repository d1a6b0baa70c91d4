// Holds events until the server has stored them: in order, across reloads, each exactly once.
//
// Each has its own entry in localStorage, so tabs never overwrite each other's; the server stores
// events with the same key once.

import { Refused, call } from './api.js';

const MOST_SENT = 50;
const SLOWEST = 30_000;
const PATIENCE = 20_000;
// Status codes after which a retry cannot help.
const FOR_GOOD = new Set([400, 404, 413, 422]);

// In memory, if the browser refuses to store anything.
const memory = new Map();

function store(name, value) {
  try { localStorage.setItem(name, JSON.stringify(value)); } catch { memory.set(name, value); }
}

function drop(name) {
  try { localStorage.removeItem(name); } catch { /* it is in memory */ }
  memory.delete(name);
}

function load(name) {
  if (memory.has(name)) return memory.get(name);
  try { return JSON.parse(localStorage.getItem(name)); } catch { return null; }
}

function names(prefix) {
  let stored = [];
  try { stored = Object.keys(localStorage); } catch { /* nothing is kept here */ }
  return [...stored, ...memory.keys()].filter((name) => name.startsWith(prefix)).sort();
}

// A list of limited length that survives reloads.
export class StoredList {
  constructor(name, most) { Object.assign(this, { name, most }); }

  get all() { return load(this.name) ?? []; }

  set all(entries) { store(this.name, entries.slice(-this.most)); }
}

export class Queue {
  #waiting = 'pyramidion.waiting.';
  #aside = 'pyramidion.refused.';
  #sending = false;
  #alone = false;
  #failures = 0;
  #timer = 0;

  // `changed` is called whenever something is added, stored, refused or cannot be sent, `answered` with
  // answers of the server. `details()` is sent along, and `follows(refused, event)` tells whether an
  // event cannot be stored without a refused one.
  constructor({ name, address, changed, answered = () => {}, details = () => ({}), follows = () => false }) {
    this.#waiting += `${name}.`;
    this.#aside += `${name}.`;
    Object.assign(this, { address, changed, answered, details, follows });
    this.problem = ''; // or 'network', 'login', 'closed'
    addEventListener('online', () => this.send());
    addEventListener('storage', ({ key }) => { if (key === null || key.startsWith('pyramidion.')) changed(); });
  }

  get events() { return names(this.#waiting).map(load).filter(Boolean); }

  // Events that report time are not shown as unsent.
  get unsent() { return this.events.filter(({ kind }) => kind !== 'time').length; }

  // Whether waiting events would be lost with the page.
  get isFragile() { return [...memory.keys()].some((name) => name.startsWith(this.#waiting)); }

  get refused() { return names(this.#aside).map(load).filter(Boolean); }

  // Forgets refused events: all, or the one with a key.
  forgetRefused(key) {
    names(this.#aside).filter((name) => !key || load(name).key === key).forEach(drop);
    this.changed();
  }

  add(event) {
    const last = names(this.#waiting).at(-1)?.slice(this.#waiting.length) ?? '0';
    const number = String(parseInt(last, 10) + 1).padStart(12, '0');
    store(`${this.#waiting}${number}.${event.key}`, event);
    this.changed();
    this.send();
  }

  // Sends waiting events; a closing page does not wait for a pending answer.
  async send({ closing = false } = {}) {
    if (this.#sending && !closing) return;
    clearTimeout(this.#timer);
    const batch = names(this.#waiting).slice(0, this.#alone ? 1 : MOST_SENT);
    if (!batch.length) { this.#alone = false; return; }
    this.#sending = true;
    try {
      await this.#sent(batch, closing);
      this.#failures = 0;
      this.problem = '';
    } catch (error) {
      this.#failed(error, batch);
    }
    this.#sending = false;
    this.changed();
    if (!this.problem && this.events.length) this.send();
  }

  async #sent(batch, closing) {
    const events = batch.map(load).filter(Boolean);
    const signal = AbortSignal.timeout(PATIENCE);
    const answer = await call('POST', this.address, { events, ...this.details() }, { keepalive: closing, signal });
    // A captive portal may answer instead of the studio.
    if (!answer.stored?.length) throw new TypeError('unexpected answer');
    batch.filter((name) => answer.stored.includes(load(name)?.key)).forEach(drop);
    this.answered(answer);
  }

  #failed(error, batch) {
    const ours = error instanceof Refused && 'hint' in error.content;
    if (ours && (FOR_GOOD.has(error.status) || error.content.changes)) {
      this.problem = ''; // the server answers again
      // One of several is invalid: send them one by one to find it.
      if (batch.length === 1) this.#setAside(batch[0], error.status === 404 ? { error: 'it is no longer assigned to you' } : error.content);
      this.#alone = batch.length > 1;
    } else if (ours && [401, 403].includes(error.status)) {
      this.problem = 'login';
    } else if (ours && error.status === 409) {
      this.problem = 'closed';
    } else {
      this.problem = 'network';
      const delay = Math.min(SLOWEST, 1000 * 2 ** this.#failures++);
      this.#timer = setTimeout(() => this.send(), delay * (0.75 + Math.random() / 2));
    }
  }

  // Also sets aside what builds on the event.
  #setAside(name, { error, hint, changes = [] }) {
    const event = load(name);
    const others = [...new Set(changes.map((change) => [change.who, change.edit || change.action].filter(Boolean).join(': ')))];
    const reason = [error.replace(/\.$/, ''), hint, ...others].filter(Boolean).join('; ');
    store(this.#aside + name.slice(this.#waiting.length), { ...event, reason });
    drop(name);
    const next = names(this.#waiting).find((other) => other > name && this.follows(event, load(other)));
    if (next) this.#setAside(next, { error: 'it builds on a change that was not stored' });
  }
}
