// The annotation of a peer: its text, the pyramid, the references.
import { tell } from './api.js';
import { Desk, areWanted, plural, short } from './desk.js';
import { choose } from './dialogs.js';

const byId = (id) => document.getElementById(id);
const REST = byId('desk').dataset.rest;

const name = (own, uid) => (uid === REST ? 'not in the pyramid' : own.board.pyramid.units[uid]?.label ?? '');

const wordsOf = (text) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);

// Units to choose from: those that share most words with a text come first.
function choices(own, text, except) {
  const sought = wordsOf(text);
  const ranked = own.board.units.filter((unit) => unit.uid !== except).map((unit) => {
    const shared = [...wordsOf(own.unitText(unit))].filter((word) => word.length > 2 && sought.has(word)).length;
    return { unit, shared };
  });
  ranked.sort((a, b) => b.shared - a.shared || b.unit.weight - a.unit.weight);
  const items = ranked.map(({ unit }) => ({ id: unit.uid, text: unit.label, note: `weight ${unit.weight}`, more: own.unitText(unit) }));
  return except === REST ? items : [...items, { id: REST, text: 'Not in the pyramid' }];
}

function mark(own, uid, parts) {
  tell(`${uid === REST ? 'Not in the pyramid' : `Matched with: ${name(own, uid)}`} ← ${own.textOf(parts, [own.peer])}`);
  own.tree.aim(uid === REST ? own.tree.uid : uid);
  own.board.edit({ edit: 'AddContributor', uid, at: own.board.marks.own(uid).length, contributor: { parts, comment: '' } });
}

async function match(own) {
  const { contributors: [parts], restore } = own.selection.take();
  const text = own.textOf(parts, [own.peer]);
  const uid = await choose(`Match “${short(text, 40)}” with`, choices(own, text));
  if (uid) mark(own, uid, parts);
  else restore();
}

// The mark that a command applies to: in the tree, or at the cursor.
function current(own) {
  const { tree, selection } = own;
  const inTree = byId('units').contains(document.activeElement);
  if (inTree && tree.row !== null) return { uid: tree.uid, at: tree.row };
  const word = selection.pane.words[selection.pane.place];
  const here = Object.values(own.board.marks.units).flatMap((unit) => unit.contributors.map((one, at) => ({ uid: unit.uid, at, one })));
  return here.find(({ one }) => one.parts.some(([first, last]) => word && first < word.end && word.start < last)) ?? null;
}

function remove(own) {
  const { uid, at } = current(own);
  const { parts } = own.board.marks.own(uid)[at];
  tell(`Removed the mark: ${own.textOf(parts, [own.peer])}. Press z to undo.`);
  own.tree.row = null;
  own.board.edit({ edit: 'RemoveContributor', uid, at });
}

async function move(own) {
  const { uid, at } = current(own);
  const text = own.textOf(own.board.marks.own(uid)[at].parts, [own.peer]);
  const to = await choose(`Move “${short(text, 40)}” to`, choices(own, text, uid));
  if (!to) return;
  tell(`Moved to: ${name(own, to)}`);
  own.tree.row = null;
  own.board.edit({ edit: 'MoveContributor', uid, at, to, to_at: own.board.marks.own(to).length });
}

const percent = (value) => (value === null || value === undefined ? '–' : value.toFixed(3));

function score(own) {
  const { score: scores } = own.board.whole;
  byId('score').textContent = scores
    ? `Score ${percent(scores.modified)} · original ${percent(scores.original)} · weight ${scores.weight} of ${scores.max} · ${plural(scores.in_pyramid, 'unit')}, ${scores.outside} not in the pyramid`
    : 'No score yet: the pyramid has no units.';
}

function rest(own) {
  const marks = own.board.marks.own(REST);
  byId('rest').replaceChildren(...marks.map((one) => {
    const item = document.createElement('li');
    item.textContent = own.textOf(one.parts, [own.peer]);
    return item;
  }));
  byId('rest').closest('section').hidden = !marks.length;
}

// Marks to review after a change of the pyramid.
function tasks(own) {
  const open = own.board.whole.tasks;
  const section = byId('tasks').closest('section');
  if (!open.length && section.contains(document.activeElement)) own.toText();
  section.hidden = !open.length;
  byId('tasks').replaceChildren(...open.map((task) => {
    const item = document.createElement('li');
    const same = (one) => JSON.stringify(one.parts) === JSON.stringify(task.parts);
    const at = own.board.marks.own(task.uid).findIndex(same);
    const button = (label, run) => {
      const made = document.createElement('button');
      Object.assign(made, { type: 'button', className: 'plain', textContent: label });
      made.onclick = () => { run(); section.querySelector('h3').focus(); };
      return made;
    };
    const { uid, parts, reason } = task;
    const others = task.choices.filter((other) => other !== uid && own.board.pyramid.units[other]);
    item.append(`“${task.text}”: ${reason}. It stands under: ${name(own, uid)}. `,
      button('Keep it there', () => own.board.send('kept', { task: { uid, parts, reason } }, { versioned: false })),
      ...others.map((to) => button(`Move to: ${name(own, to)}`, () => own.board.edit({ edit: 'MoveContributor', uid, at, to, to_at: own.board.marks.own(to).length }))));
    return item;
  }));
}

const desk = new Desk({
  rowKind: 'mark',
  rows: (own, unit) => own.board.marks.own(unit.uid).map((one) => ({ text: own.textOf(one.parts, [own.peer]), note: '' })),
  count: (own, unit) => (own.board.marks.own(unit.uid).length ? plural(own.board.marks.own(unit.uid).length, 'mark') : ''),
  unitName: name,
  accepted: (own, one) => ({
    edit: 'AddContributor', uid: one.uid, at: own.board.marks.own(one.uid).length, contributor: { parts: one.contributors[0].parts, comment: '' },
  }),
  rendered: (own) => { score(own); rest(own); tasks(own); },
  opened: (own) => {
    own.openTab('texts');
    own.toText(0);
    if (own.board.whole.may_suggest && own.board.whole.may_edit && areWanted()) own.suggestions.toggle(true, { quiet: true });
    byId('do-suggest').hidden = !own.board.whole.may_suggest;
  },
  commands: (own) => {
    const mayEdit = () => own.board.whole.may_edit;
    const mayMark = () => mayEdit() && own.peer.words.length > 0;
    const hasUnit = () => mayMark() && own.tree.unit !== null;
    const hasMark = () => mayEdit() && current(own) !== null;
    const noMark = 'There is no mark at the cursor.';
    const closed = own.peer.words.length === 0 ? 'This summary has no words.' : 'It is submitted or closed. Reopen it to change it.';
    return [
      { id: 'match', button: 'tools', label: 'Match', help: 'match the chosen words with a unit', keys: ['Enter', 'm'], run: () => match(own), enabled: mayMark, unable: closed },
      { id: 'match-current', button: 'tools', label: 'Match with current', help: 'match the chosen words with the current unit', keys: ['a'], run: () => mark(own, own.tree.uid, own.selection.take().contributors[0]), enabled: hasUnit, unable: closed },
      { id: 'rest', button: 'tools', label: 'Not in pyramid', help: 'mark the chosen words as not in the pyramid', keys: ['0', 'n'], run: () => mark(own, REST, own.selection.take().contributors[0]), enabled: mayMark, unable: closed },
      { id: 'keep', button: 'tools', label: 'Keep piece', help: 'keep this piece and choose another', keys: ['Space'], run: () => own.selection.keep() },
      { id: 'move', button: 'tools', label: 'Move', help: 'move the mark to another unit', keys: ['v'], run: () => move(own), enabled: hasMark, unable: noMark },
      { id: 'remove', button: 'tools', label: 'Remove', help: 'remove the mark', keys: ['Delete', 'x'], run: () => remove(own), enabled: hasMark, unable: noMark },
      ...own.common(),
    ];
  },
});

desk.open();
