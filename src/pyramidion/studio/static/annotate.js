// The annotation of a peer: its text, the pyramid, the references.
import { announce } from './api.js';
import { Desk, areSuggestionsOn, plural, short } from './desk.js';
import { choose } from './dialogs.js';

const byId = (id) => document.getElementById(id);
const REST = byId('desk').dataset.rest;

const name = (desk, uid) => (uid === REST ? 'not in the pyramid' : desk.board.pyramid.units[uid]?.label ?? '');

const wordsOf = (text) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);

// Units to choose from; those that share the most words with a text come first.
function choices(desk, text, except) {
  const sought = wordsOf(text);
  const ranked = desk.board.units.filter((unit) => unit.uid !== except).map((unit) => {
    const shared = [...wordsOf(desk.unitText(unit))].filter((word) => word.length > 2 && sought.has(word)).length;
    return { unit, shared };
  });
  ranked.sort((a, b) => b.shared - a.shared || b.unit.weight - a.unit.weight);
  const items = ranked.map(({ unit }) => ({ id: unit.uid, text: unit.label, note: `weight ${unit.weight}`, more: desk.unitText(unit) }));
  return except === REST ? items : [...items, { id: REST, text: 'Not in the pyramid' }];
}

function mark(desk, uid, parts) {
  announce(`${uid === REST ? 'Not in the pyramid' : `Matched with: ${name(desk, uid)}`} ← ${desk.textOf(parts, [desk.peer])}`);
  desk.tree.aim(uid === REST ? desk.tree.uid : uid);
  desk.board.edit({ edit: 'AddContributor', uid, at: desk.board.marks.contributorsOf(uid).length, contributor: { parts, comment: '' } });
}

async function match(desk) {
  const { contributors: [parts], restore } = desk.selection.take();
  const text = desk.textOf(parts, [desk.peer]);
  const uid = await choose(`Match “${short(text, 40)}” with`, choices(desk, text));
  if (uid) mark(desk, uid, parts);
  else restore();
}

// The mark that a command applies to: in the tree, or at the cursor.
function current(desk) {
  const { tree, selection } = desk;
  const inTree = byId('units').contains(document.activeElement);
  if (inTree && tree.row !== null) return { uid: tree.uid, at: tree.row };
  const word = selection.pane.words[selection.pane.cursor];
  const here = Object.values(desk.board.marks.units).flatMap((unit) => unit.contributors.map((contributor, at) => ({ uid: unit.uid, at, contributor })));
  return here.find(({ contributor }) => contributor.parts.some(([first, last]) => word && first < word.end && word.start < last)) ?? null;
}

function remove(desk) {
  const { uid, at } = current(desk);
  const { parts } = desk.board.marks.contributorsOf(uid)[at];
  announce(`Removed the mark: ${desk.textOf(parts, [desk.peer])}. Press z to undo.`);
  desk.tree.row = null;
  desk.board.edit({ edit: 'RemoveContributor', uid, at });
}

async function move(desk) {
  const { uid, at } = current(desk);
  const text = desk.textOf(desk.board.marks.contributorsOf(uid)[at].parts, [desk.peer]);
  const to = await choose(`Move “${short(text, 40)}” to`, choices(desk, text, uid));
  if (!to) return;
  announce(`Moved to: ${name(desk, to)}`);
  desk.tree.row = null;
  desk.board.edit({ edit: 'MoveContributor', uid, at, to, to_at: desk.board.marks.contributorsOf(to).length });
}

const percent = (value) => (value === null || value === undefined ? '–' : value.toFixed(3));

function score(desk) {
  const { score: scores } = desk.board.whole;
  byId('score').textContent = scores
    ? `Score ${percent(scores.modified)} · original ${percent(scores.original)} · weight ${scores.weight} of ${scores.max} · ${plural(scores.in_pyramid, 'unit')}, ${scores.outside} not in the pyramid`
    : 'No score yet: the pyramid has no units.';
}

function rest(desk) {
  const marks = desk.board.marks.contributorsOf(REST);
  byId('rest').replaceChildren(...marks.map((contributor) => {
    const item = document.createElement('li');
    item.textContent = desk.textOf(contributor.parts, [desk.peer]);
    return item;
  }));
  byId('rest').closest('section').hidden = !marks.length;
}

// Marks to review because the pyramid changed.
function tasks(desk) {
  const open = desk.board.whole.tasks;
  const section = byId('tasks').closest('section');
  if (!open.length && section.contains(document.activeElement)) desk.toText();
  section.hidden = !open.length;
  byId('tasks').replaceChildren(...open.map((task) => {
    const item = document.createElement('li');
    const same = (contributor) => JSON.stringify(contributor.parts) === JSON.stringify(task.parts);
    const at = desk.board.marks.contributorsOf(task.uid).findIndex(same);
    const button = (label, run) => {
      const element = document.createElement('button');
      Object.assign(element, { type: 'button', className: 'plain', textContent: label });
      element.onclick = () => { run(); section.querySelector('h3').focus(); };
      return element;
    };
    const { uid, parts, reason } = task;
    const targets = task.choices.filter((other) => other !== uid && desk.board.pyramid.units[other]);
    item.append(`“${task.text}”: ${reason}. It is matched with: ${name(desk, uid)}. `,
      button('Keep it there', () => desk.board.send('keep', { task: { uid, parts, reason } })),
      ...targets.map((to) => button(`Move to: ${name(desk, to)}`, () => desk.board.edit({ edit: 'MoveContributor', uid, at, to, to_at: desk.board.marks.contributorsOf(to).length }))));
    return item;
  }));
}

const desk = new Desk({
  rowKind: 'mark',
  rows: (desk, unit) => desk.board.marks.contributorsOf(unit.uid).map((contributor) => ({ text: desk.textOf(contributor.parts, [desk.peer]), note: '' })),
  count: (desk, unit) => (desk.board.marks.contributorsOf(unit.uid).length ? plural(desk.board.marks.contributorsOf(unit.uid).length, 'mark') : ''),
  unitName: name,
  accepted: (desk, suggestion) => ({
    edit: 'AddContributor', uid: suggestion.uid, at: desk.board.marks.contributorsOf(suggestion.uid).length, contributor: { parts: suggestion.contributors[0].parts, comment: '' },
  }),
  rendered: (desk) => { score(desk); rest(desk); tasks(desk); },
  opened: (desk) => {
    desk.openTab('texts');
    desk.toText(0);
    if (desk.board.whole.may_suggest && desk.board.mayEdit && areSuggestionsOn()) desk.suggestions.toggle(true, { quiet: true });
    byId('do-suggest').hidden = !desk.board.whole.may_suggest;
  },
  commands: (desk) => {
    const mayEdit = () => desk.board.mayEdit;
    const mayMark = () => mayEdit() && desk.peer.words.length > 0;
    const hasUnit = () => mayMark() && desk.tree.unit !== null;
    const hasMark = () => mayEdit() && current(desk) !== null;
    const noMark = 'There is no mark at the cursor.';
    const closed = desk.peer.words.length === 0 ? 'This summary has no words.' : 'It is submitted or closed. Reopen it to change it.';
    return [
      { id: 'match', button: 'tools', label: 'Match', help: 'match the chosen words with a unit', keys: ['Enter', 'm'], run: () => match(desk), enabled: mayMark, unable: closed },
      { id: 'match-current', button: 'tools', label: 'Match with current', help: 'match the chosen words with the current unit', keys: ['a'], run: () => mark(desk, desk.tree.uid, desk.selection.take().contributors[0]), enabled: hasUnit, unable: closed },
      { id: 'rest', button: 'tools', label: 'Not in pyramid', help: 'mark the chosen words as not in the pyramid', keys: ['0', 'n'], run: () => mark(desk, REST, desk.selection.take().contributors[0]), enabled: mayMark, unable: closed },
      { id: 'keep', button: 'tools', label: 'Keep piece', help: 'keep this piece and choose another', keys: ['Space'], run: () => desk.selection.keep() },
      { id: 'move', button: 'tools', label: 'Move', help: 'move the mark to another unit', keys: ['v'], run: () => move(desk), enabled: hasMark, unable: noMark },
      { id: 'remove', button: 'tools', label: 'Remove', help: 'remove the mark', keys: ['Delete', 'x'], run: () => remove(desk), enabled: hasMark, unable: noMark },
      ...desk.common(),
    ];
  },
});

desk.open();
