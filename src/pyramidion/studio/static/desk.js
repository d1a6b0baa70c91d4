// Shared by the pyramid editor and the annotation of peers: texts, units, commands, suggestions.
import { call, announce } from './api.js';
import { Board } from './board.js';
import { lettersOn, showKeys } from './dialogs.js';
import { divide } from './panes.js';
import { HUES, Selection, TextPane } from './spans.js';
import { UnitTree } from './units.js';

const byId = (id) => document.getElementById(id);
const hue = (uid) => [...uid].reduce((sum, letter) => (sum * 10 + letter.charCodeAt(0)) % 997, 0) % HUES;
export const plural = (number, word, many = `${word}s`) => `${number} ${number === 1 ? word : many}`;
export const short = (text, most = 60) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

const TEXT_KEYS = [
  [['←', '→'], 'word by word'], [['↑', '↓'], 'sentence by sentence'], [['Home', 'End'], 'first and last word'],
  [['1', '…', '9'], 'text with this number'], [['[', ']'], 'previous and next text'],
  [['Shift + arrows'], 'choose words'], [[',', '.'], 'move the start of the choice by a letter'], [['<', '>'], 'move its end by a letter'], [['Space'], 'keep this piece and choose another; release a kept one'],
];
const UNIT_KEYS = [
  [['↑', '↓'], 'unit by unit'], [['→', '←'], 'into a unit and back'], [['Space'], 'tick a line of a unit'],
];

export class Desk {
  // `page` defines how units, lines and texts look, and the commands.
  constructor(page) {
    this.page = page;
    this.root = byId('desk');
    this.board = new Board(this.root, () => this.render());
    this.board.unit = () => this.tree?.uid;
    this.suggestions = new Suggestions(this);
    this.isBare = false;
    this.query = '';
  }

  async open() {
    await this.board.load().catch((error) => { announce(error.message); throw error; });
  }

  // Builds the texts and the tree from the first state.
  build() {
    const { whole } = this.board;
    this.references = whole.references.map((text) => this.pane(byId('references'), text));
    this.peer = whole.peer ? this.pane(byId('peer'), { name: 'Summary', ...whole.peer }) : null;
    const panes = this.peer ? [this.peer] : this.references;
    this.selection = new Selection(panes, { moved: () => this.sayWord(), changed: () => this.paint() });
    this.tree = new UnitTree(byId('units'), byId('tiers'), {
      rows: (unit) => this.page.rows(this, unit),
      count: (unit) => [this.page.count(this, unit), this.board.note(unit.uid)].filter(Boolean).join(' · '),
      moved: () => this.render(),
      hue,
    });
    this.commands = this.page.commands(this);
    this.buttons();
    this.tabs();
    divide(this.root, this.peer ? ['summary', 'units', 'references'] : ['references', 'units']);
    byId('search').oninput = (event) => this.search(event.target.value);
    byId('search').onkeydown = (event) => this.searchKey(event);
    document.addEventListener('keydown', (event) => this.key(event));
    this.page.opened?.(this);
  }

  pane(parent, text) {
    const section = document.createElement('section');
    section.className = 'text card';
    const title = document.createElement('h3');
    title.textContent = text.name;
    const body = document.createElement('div');
    section.append(title, body);
    parent.append(section);
    return new TextPane(body, text);
  }

  render() {
    if (!this.tree) this.build();
    this.tree.uid = this.board.uids[this.tree.uid] ?? this.tree.uid;
    const words = this.query.toLowerCase().split(/\s+/).filter(Boolean);
    const has = (unit) => words.every((word) => this.unitText(unit).toLowerCase().includes(word));
    this.tree.render(this.board.units, has);
    byId('no-units').hidden = this.board.units.length > 0;
    this.paint();
    for (const { id, enabled } of this.commands) {
      const button = byId(`do-${id}`);
      if (button) button.disabled = enabled ? !enabled() : false;
    }
    this.stage();
    this.whoIsHere();
    this.root.setAttribute('aria-busy', String(this.board.waiting > 0));
    this.page.rendered?.(this);
    document.dispatchEvent(new CustomEvent('rendered', { detail: this.board.waiting }));
  }

  // Updates the button that submits or reopens.
  stage() {
    const button = byId('stage');
    const { isSubmitted } = this.board;
    if (isSubmitted === undefined) return;
    button.hidden = false;
    button.textContent = isSubmitted ? 'Reopen' : 'Submit';
    button.onclick = async () => {
      const done = await this.board.send(isSubmitted ? 'reopen' : 'submit');
      if (done) announce(isSubmitted ? 'It is open again.' : 'It is submitted. Reopen it to change it.');
    };
  }

  whoIsHere() {
    const names = this.board.people.map(({ who }) => who || 'somebody else');
    byId('people').textContent = names.length ? `Also here: ${names.join(', ')}` : '';
  }

  unitText(unit) {
    return [unit.label, unit.comment, ...unit.contributors.map((contributor) => this.textOf(contributor.parts))].join(' ');
  }

  // Returns the text of parts of the references.
  textOf(parts, panes = this.references) {
    const pane = panes.find((candidate) => candidate.has(parts[0][0]));
    return pane ? parts.map((part) => pane.slice(part)).join(' … ') : '';
  }

  paint() {
    if (!this.tree) return;
    const { board, tree } = this;
    const spans = (units, kind) => units.flatMap((unit) => unit.contributors.map((contributor, row) => ({
      parts: contributor.parts,
      hue: hue(unit.uid),
      kind: unit.uid === tree.uid ? [kind, ...(tree.row === row && kind === this.page.rowKind ? ['row'] : [])] : [],
    })));
    const extra = [
      { parts: this.isBare ? board.whole.uncovered : [], kind: 'bare' },
      ...(this.hits ?? []).map((parts) => ({ parts, kind: 'hit' })),
    ];
    const chosen = [...this.selection.spans(), ...this.suggestions.spans()];
    const inReferences = [...spans(board.units, 'of'), ...extra, ...(this.peer ? [] : chosen)];
    for (const pane of this.references) pane.draw(inReferences);
    if (this.peer) {
      const marked = Object.values(board.marks.units);
      this.peer.draw([...spans(marked, 'mark'), ...chosen]);
    }
  }

  // Describes the selection, or the word at the cursor and its units.
  sayWord() {
    const { selection } = this;
    const { pane } = selection;
    const word = pane.words[pane.cursor];
    if (!word) return;
    const units = Object.values(this.peer ? this.board.marks.units : this.board.pyramid.units);
    const here = units.filter((unit) => unit.contributors.some((contributor) => contributor.parts.some(([first, last]) => first < word.end && word.start < last)));
    const names = here.map((unit) => this.page.unitName(this, unit.uid));
    const description = selection.isEmpty ? word.text : `Chosen: ${selection.text}`;
    const line = byId('here');
    line.classList.toggle('cursor', selection.isEmpty);
    line.textContent = [description, ...names].join(' · ');
  }

  // Filters units by the words in the search box, and highlights them in the texts.
  search(query) {
    this.query = query;
    const sought = query.trim().toLowerCase();
    this.hits = [];
    for (const pane of sought.length > 1 ? this.references : []) {
      const text = pane.text.toLowerCase();
      for (let at = text.indexOf(sought); at >= 0; at = text.indexOf(sought, at + 1)) {
        this.hits.push([[pane.start + at, pane.start + at + sought.length]]);
      }
    }
    this.hit = -1;
    this.render();
    if (sought) announce(`${plural(this.tree.order.length, 'unit')}, ${plural(this.hits.length, 'match', 'matches')} in the references.`);
  }

  searchKey(event) {
    event.stopPropagation();
    if (event.key === 'Escape' || event.key === 'ArrowDown') {
      event.preventDefault();
      if (event.key === 'Escape') { event.target.value = ''; this.search(''); }
      if (event.key === 'ArrowDown' && this.tree.order.length) this.toUnits();
      else this.toText();
    }
    if (event.key === 'Enter' && this.hits?.length) {
      this.hit = (this.hit + 1) % this.hits.length;
      const [first] = this.hits[this.hit][0];
      const pane = this.references.find((candidate) => candidate.has(first));
      const index = pane.words.findIndex((word) => word.end > first);
      if (this.peer) pane.words[index]?.node.scrollIntoView({ block: 'center' });
      else this.selection.go(pane, index);
      announce(`Match ${this.hit + 1} of ${this.hits.length}: ${pane.name}.`);
    }
  }

  toText(number) {
    this.openTab('texts');
    this.selection.focus(number);
  }

  toUnits() {
    this.openTab('pyramid');
    this.tree.focus();
  }

  // Narrow screens show one part at a time.
  tabs() {
    this.tabButtons = [...document.querySelectorAll('[role=tab]')];
    for (const button of this.tabButtons) {
      button.onclick = () => this.openTab(button.dataset.part);
      button.onkeydown = (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        const next = this.tabButtons.at((this.tabButtons.indexOf(button) + step) % this.tabButtons.length);
        this.openTab(next.dataset.part);
        next.focus();
        event.stopPropagation();
      };
    }
  }

  openTab(part) {
    this.root.dataset.open = part;
    for (const button of this.tabButtons) {
      button.setAttribute('aria-selected', String(button.dataset.part === part));
      button.tabIndex = button.dataset.part === part ? 0 : -1;
    }
  }

  buttons() {
    for (const { id, button, label, keys, run } of this.commands) {
      if (!button) continue;
      const element = document.createElement('button');
      Object.assign(element, { type: 'button', id: `do-${id}`, className: 'plain', textContent: label, title: `${label} (${keys[0]})` });
      element.setAttribute('aria-keyshortcuts', keys[0].replace('Ctrl', 'Control'));
      // The texts and the tree keep the focus.
      element.onmousedown = (event) => event.preventDefault();
      element.onclick = () => run();
      byId(button).append(element);
    }
  }

  key(event) {
    if (event.defaultPrevented || event.target.matches('input, textarea, select') || document.querySelector('dialog[open]')) return;
    const shift = event.shiftKey && event.key.length > 1 ? 'Shift+' : '';
    const name = `${event.ctrlKey || event.metaKey ? 'Ctrl+' : ''}${event.altKey ? 'Alt+' : ''}${shift}${event.key}`;
    if (event.key.length === 1 && name === event.key && !lettersOn() && event.key !== '?') return;
    if (name === 'Enter' && event.target.matches('button, a, summary')) return;
    const number = Number(name);
    if (number >= 1 && number <= this.selection.panes.length) {
      event.preventDefault();
      this.toText(number - 1);
      return;
    }
    const command = this.commands.find(({ keys, where }) => keys.includes(name) && (where?.(event) ?? true));
    if (!command) return;
    event.preventDefault();
    if (command.enabled && !command.enabled()) announce(command.unable ?? `${command.label}: not possible now.`);
    else command.run();
  }

  showKeys() {
    const shown = (key) => key.replace('Delete', 'Del').replace('Escape', 'Esc').replace('ArrowUp', '↑').replace('ArrowDown', '↓');
    const rows = this.commands.filter(({ keys, hidden }) => keys[0] !== 'Space' && !hidden).map(({ keys, help, label }) => [keys.slice(0, 3).map(shown), help ?? label]);
    return showKeys([['In a text', TEXT_KEYS], ['In the pyramid', UNIT_KEYS], ['Everywhere', rows]]);
  }

  // Commands of both pages.
  common() {
    const { board, suggestions } = this;
    const step = (action, done) => async () => { if (await board.send(action)) announce(`${done}. ${plural(board.whole.undo, 'change')} can be undone.`); };
    return [
      { id: 'undo', button: 'tools', label: 'Undo', help: 'undo, without limit', keys: ['z', 'Ctrl+z'], run: step('undo', 'Undone'), enabled: () => board.whole.undo > 0 || board.waiting > 0, unable: 'There is nothing to undo.' },
      { id: 'redo', button: 'tools', label: 'Redo', help: 'redo the last undone change', keys: ['Z', 'Ctrl+y', 'Ctrl+Z'], run: step('redo', 'Redone'), enabled: () => board.whole.redo > 0, unable: 'There is nothing to redo.' },
      { id: 'suggest', button: 'tools', label: 'Suggestions', help: 'show or hide suggestions', keys: ['g'], run: () => suggestions.toggle() },
      { id: 'accept', label: 'Accept', help: 'accept the suggestion', keys: ['y'], run: () => suggestions.accept(), enabled: () => suggestions.current, unable: 'There is no suggestion.' },
      { id: 'refuse', label: 'Refuse', help: 'refuse the suggestion', keys: ['r'], run: () => suggestions.refuse(), enabled: () => suggestions.current, unable: 'There is no suggestion.' },
      { id: 'next', label: 'Next', help: 'next suggestion', keys: ['j'], run: () => suggestions.go(1), enabled: () => suggestions.current, unable: 'There is no suggestion.' },
      { id: 'previous', label: 'Previous', help: 'previous suggestion', keys: ['k'], run: () => suggestions.go(-1), enabled: () => suggestions.current, unable: 'There is no suggestion.' },
      { id: 'text', label: 'go to the text', keys: ['t'], run: () => this.toText() },
      { id: 'units', label: 'go to the pyramid', keys: ['u'], run: () => this.toUnits() },
      { id: 'search', label: 'search', keys: ['/', 'Ctrl+f'], run: () => { this.openTab('pyramid'); byId('search').select(); byId('search').focus(); } },
      ...[[',', 0, -1], ['.', 0, 1], ['<', 1, -1], ['>', 1, 1]].map(([key, side, by]) => ({ id: `nudge${key}`, label: 'move an end by a letter', keys: [key], hidden: true, run: () => this.selection.nudge(side, by) })),
      { id: 'clear', label: 'clear the selection', keys: ['Escape'], run: () => { this.selection.clear(); announce('The selection is cleared.'); } },
      { id: 'keys', button: 'tools', label: 'Keys', help: 'this overview', keys: ['?'], run: () => this.showKeys() },
    ];
  }
}

const STORAGE_KEY = 'pyramidion-suggestions';
export const areSuggestionsOn = () => localStorage.getItem(STORAGE_KEY) !== 'off';

const NAMES = { builder: 'builder', match: 'same words elsewhere', similarity: 'similar words' };

// Suggestions from the server, shown one at a time; one key accepts or refuses each.
class Suggestions {
  constructor(desk) {
    Object.assign(this, { desk, items: [], index: 0, isOpen: false });
  }

  get current() { return this.isOpen ? this.items[this.index] : undefined; }

  async toggle(isOpen = !this.isOpen, { quiet = false } = {}) {
    this.isOpen = isOpen;
    if (!quiet) localStorage.setItem(STORAGE_KEY, isOpen ? 'on' : 'off');
    if (isOpen) {
      if (!quiet) announce('Looking for suggestions.');
      const { board } = this.desk;
      const answer = await call('GET', `${board.api}${board.query ? `${board.query}&` : '?'}view=suggestions`).catch((error) => { announce(error.message); return { suggestions: [] }; });
      this.items = answer.suggestions;
      this.index = 0;
      if (!quiet) this.say();
    } else announce('Suggestions are hidden.');
    this.render();
  }

  say() {
    const { current } = this;
    announce(current ? `${plural(this.items.length, 'suggestion')}. ${this.describe(current)}` : 'There is no suggestion.');
  }

  describe(suggestion) {
    const { desk } = this;
    const unit = suggestion.uid ? desk.page.unitName(desk, suggestion.uid) : suggestion.label;
    const sure = suggestion.probability === null ? '' : `, ${Math.round(100 * suggestion.probability)}%`;
    return `${unit} ← ${suggestion.contributors.map(({ text }) => text).join('; ')} (${NAMES[suggestion.source]}${sure})`;
  }

  go(by) {
    this.index = Math.max(0, Math.min(this.index + by, this.items.length - 1));
    this.render();
    this.say();
  }

  drop(suggestion) {
    this.items = this.items.filter((other) => other !== suggestion);
    this.index = Math.min(this.index, Math.max(0, this.items.length - 1));
    this.render();
  }

  accept() {
    const suggestion = this.current;
    const { id, source, probability } = suggestion;
    const edit = this.desk.page.accepted(this.desk, suggestion);
    this.drop(suggestion);
    announce(`Accepted. ${this.current ? `Next: ${this.describe(this.current)}` : 'That was the last suggestion.'}`);
    return this.desk.board.edit(edit, { suggested: { id, source, probability } });
  }

  refuse() {
    const suggestion = this.current;
    const { id, source, probability } = suggestion;
    this.drop(suggestion);
    announce(`Refused. ${this.current ? `Next: ${this.describe(this.current)}` : 'That was the last suggestion.'}`);
    return this.desk.board.send('refuse', { suggested: { id, source, probability } });
  }

  spans() {
    const suggestion = this.current;
    return suggestion ? [{ parts: suggestion.contributors.flatMap(({ parts }) => parts), kind: 'maybe' }] : [];
  }

  render() {
    const panel = byId('suggestions');
    panel.hidden = !this.isOpen;
    byId('do-suggest')?.setAttribute('aria-pressed', String(this.isOpen));
    const list = panel.querySelector('ol');
    list.replaceChildren(...this.items.map((suggestion, number) => this.line(suggestion, number)));
    panel.querySelector('.count').textContent = this.items.length ? `${this.items.length}` : 'none';
    list.children[this.index]?.scrollIntoView({ block: 'nearest' });
    this.desk.paint();
  }

  line(suggestion, number) {
    const line = document.createElement('li');
    if (number === this.index) line.setAttribute('aria-current', 'true');
    const text = document.createElement('span');
    text.textContent = this.describe(suggestion);
    line.append(text);
    for (const [label, act] of [['Accept', 'accept'], ['Refuse', 'refuse']]) {
      const button = document.createElement('button');
      Object.assign(button, { type: 'button', className: 'plain', textContent: label });
      button.setAttribute('aria-label', `${label} ${this.describe(suggestion)}`);
      button.onclick = () => { this.index = number; this[act](); panelFocus(this.index); };
      line.append(' ', button);
    }
    return line;
  }
}

// A clicked button disappears with its line; the next line gets the focus.
function panelFocus(index) {
  const lines = byId('suggestions').querySelectorAll('li');
  (lines[index]?.querySelector('button') ?? byId('do-suggest')).focus();
}
