// The pyramid editor.
import { tell } from './api.js';
import { Desk, plural, short } from './desk.js';
import { ask, choose } from './dialogs.js';

const inTree = (event) => Boolean(event.target.closest('[role=tree]'));

// Contributors are in the order of the text.
const placeFor = (unit, parts) => unit.contributors.filter((one) => one.parts[0][0] < parts[0][0]).length;

const choices = (desk, except) => desk.tree.units
  .filter((unit) => unit.uid !== except)
  .map((unit) => ({ id: unit.uid, text: unit.label, note: `weight ${unit.weight}`, more: desk.unitText(unit) }));

async function newUnit(desk) {
  const { contributors: chosen, restore } = desk.selection.take();
  const contributors = chosen.map((parts) => ({ parts, comment: '' }));
  const text = desk.textOf(chosen[0]);
  const label = await ask(`New unit of ${plural(chosen.length, 'contributor')}`, text);
  if (label === null) { restore(); return; }
  const uid = desk.board.pyramid.next;
  tell(`New unit of weight ${chosen.length}: ${label || text}`);
  desk.tree.aim(uid);
  desk.board.edit({ edit: 'AddUnit', label: label || text, at: desk.tree.units.length, contributors });
}

async function add(desk, uid) {
  const { contributors, restore } = desk.selection.take();
  const to = uid ?? await choose('Add to which unit?', choices(desk));
  if (!to) { restore(); return; }
  tell(`Added ${plural(contributors.length, 'contributor')} to: ${desk.board.pyramid.units[to].label}`);
  desk.tree.aim(to);
  for (const parts of contributors) {
    const at = placeFor(desk.board.pyramid.units[to], parts);
    desk.board.edit({ edit: 'AddContributor', uid: to, at, contributor: { parts, comment: '' } });
  }
}

function replaceParts(desk) {
  const { unit, row } = desk.tree;
  const { contributors: [parts, ...more], restore } = desk.selection.take();
  if (more.length) { restore(); tell('Choose words of one reference only.'); return; }
  const { comment } = unit.contributors[row];
  tell(`The contributor is now: ${desk.textOf(parts)}`);
  desk.board.edit({ edit: 'SetContributor', uid: unit.uid, at: row, contributor: { parts, comment } });
}

async function relabel(desk) {
  const { uid } = desk.tree;
  const label = await desk.tree.relabel();
  if (label) { tell(`Label: ${label}`); desk.board.edit({ edit: 'Relabel', uid, label }); }
  desk.render();
}

async function comment(desk) {
  const { unit, row } = desk.tree;
  const one = row === null ? unit : unit.contributors[row];
  const text = await ask(row === null ? 'Comment on the unit' : 'Comment on the contributor', one.comment, { long: true });
  if (text === null) return;
  tell(text ? `Comment: ${text}` : 'No comment.');
  if (row === null) desk.board.edit({ edit: 'Relabel', uid: unit.uid, label: unit.label, comment: text });
  else desk.board.edit({ edit: 'SetContributor', uid: unit.uid, at: row, contributor: { parts: one.parts, comment: text } });
}

async function merge(desk) {
  const { unit } = desk.tree;
  const other = await choose(`Merge which unit into “${short(unit.label)}”?`, choices(desk, unit.uid));
  if (!other) return;
  tell(`Merged ${desk.board.pyramid.units[other].label} into ${unit.label}`);
  desk.board.edit({ edit: 'Merge', into: unit.uid, uid: other });
}

async function split(desk) {
  const { unit, row, checked } = desk.tree;
  const places = checked.size ? [...checked].sort((a, b) => a - b) : [row];
  const label = await ask(`Split off ${plural(places.length, 'contributor')}`, desk.textOf(unit.contributors[places[0]].parts));
  if (label === null) return;
  const at = desk.board.pyramid.order.indexOf(unit.uid) + 1;
  tell(`New unit of weight ${places.length}: ${label}`);
  checked.clear();
  desk.tree.row = null;
  desk.board.edit({ edit: 'Split', uid: unit.uid, label: label || unit.label, places, at });
}

async function moveContributor(desk) {
  const { unit, row } = desk.tree;
  const to = await choose('Move the contributor to which unit?', choices(desk, unit.uid));
  if (!to) return;
  const target = desk.board.pyramid.units[to];
  tell(`Moved to: ${target.label}`);
  desk.tree.row = null;
  desk.board.edit({ edit: 'MoveContributor', uid: unit.uid, at: row, to, to_at: placeFor(target, unit.contributors[row].parts) });
}

function remove(desk) {
  const { unit, row } = desk.tree;
  if (row === null) {
    tell(`Removed the unit: ${unit.label}. Press z to undo.`);
    desk.board.edit({ edit: 'RemoveUnit', uid: unit.uid });
    return;
  }
  tell(`Removed the contributor: ${desk.textOf(unit.contributors[row].parts)}. Press z to undo.`);
  desk.tree.row = unit.contributors.length > 1 ? Math.min(row, unit.contributors.length - 2) : null;
  desk.board.edit({ edit: 'RemoveContributor', uid: unit.uid, at: row });
}

// Moves a unit among those of its weight.
function reorder(desk, by) {
  const { unit, units } = desk.tree;
  const tier = units.filter((other) => other.weight === unit.weight);
  const other = tier[tier.indexOf(unit) + by];
  if (!other) { tell(`It is the ${by < 0 ? 'first' : 'last'} unit of weight ${unit.weight}.`); return; }
  tell(`Moved ${by < 0 ? 'before' : 'after'}: ${other.label}`);
  desk.board.edit({ edit: 'MoveUnit', uid: unit.uid, at: desk.board.pyramid.order.indexOf(other.uid) });
}

const desk = new Desk({
  rowKind: 'of',
  rows: (own, unit) => unit.contributors.map((one) => {
    const pane = own.references.find((text) => text.has(one.parts[0]?.[0]));
    return { text: one.parts.length ? own.textOf(one.parts) : '(no text)', note: [pane?.name, one.comment].filter(Boolean).join(' · ') };
  }),
  count: () => '',
  unitName: (own, uid) => own.board.pyramid.units[uid]?.label ?? '',
  accepted: (own, one) => ({
    edit: 'AddUnit', label: one.label, at: own.board.pyramid.order.length, contributors: one.contributors.map(({ parts }) => ({ parts, comment: '' })),
  }),
  rendered: (own) => {
    const { length } = own.board.whole.uncovered;
    document.getElementById('uncovered').textContent = length ? `${plural(length, 'stretch', 'stretches')} of text in no unit` : 'All text is in a unit';
  },
  opened: (own) => { sheets(own); own.openTab('texts'); own.toText(0); },
  commands: (own) => {
    const mayEdit = () => own.board.whole.may_edit;
    const hasUnit = () => mayEdit() && own.tree.unit !== null;
    const hasRow = () => hasUnit() && own.tree.row !== null;
    const noRow = 'Go to a contributor first (u, then arrows).';
    const noUnit = 'There is no unit.';
    return [
      { id: 'new', button: 'tools', label: 'New unit', help: 'new unit of the chosen words', keys: ['Enter', 'n'], where: (event) => event.key !== 'Enter' || !inTree(event), run: () => newUnit(own), enabled: mayEdit },
      { id: 'add', button: 'tools', label: 'Add to unit', help: 'add the chosen words to the current unit', keys: ['a'], run: () => add(own, own.tree.uid), enabled: hasUnit, unable: noUnit },
      { id: 'add-to', button: 'tools', label: 'Add to…', help: 'add the chosen words to another unit', keys: ['A'], run: () => add(own), enabled: hasUnit, unable: noUnit },
      { id: 'keep', button: 'tools', label: 'Keep piece', help: 'keep this piece and choose another', keys: ['Space'], run: () => own.selection.keep() },
      { id: 'label', button: 'unit-tools', label: 'Label', help: 'change the label', keys: ['l', 'F2', 'Enter'], where: (event) => event.key !== 'Enter' || inTree(event), run: () => relabel(own), enabled: hasUnit, unable: noUnit },
      { id: 'comment', button: 'unit-tools', label: 'Comment', help: 'comment on the unit or contributor', keys: ['c'], run: () => comment(own), enabled: hasUnit, unable: noUnit },
      { id: 'merge', button: 'unit-tools', label: 'Merge', help: 'merge another unit into this one', keys: ['m'], run: () => merge(own), enabled: hasUnit, unable: noUnit },
      { id: 'split', button: 'unit-tools', label: 'Split', help: 'split the ticked contributors off', keys: ['s'], run: () => split(own), enabled: () => hasUnit() && (own.tree.checked.size > 0 || own.tree.row !== null), unable: noRow },
      { id: 'move', button: 'unit-tools', label: 'Move', help: 'move the contributor to another unit', keys: ['v'], run: () => moveContributor(own), enabled: hasRow, unable: noRow },
      { id: 'replace', button: 'unit-tools', label: 'Replace text', help: 'give the contributor the chosen words', keys: ['e'], run: () => replaceParts(own), enabled: hasRow, unable: noRow },
      { id: 'up', button: 'unit-tools', label: 'Up', help: 'move the unit up', keys: ['Alt+ArrowUp'], run: () => reorder(own, -1), enabled: hasUnit, unable: noUnit },
      { id: 'down', button: 'unit-tools', label: 'Down', help: 'move the unit down', keys: ['Alt+ArrowDown'], run: () => reorder(own, 1), enabled: hasUnit, unable: noUnit },
      { id: 'remove', button: 'unit-tools', label: 'Remove', help: 'remove the unit or contributor', keys: ['Delete', 'x'], run: () => remove(own), enabled: hasUnit, unable: noUnit },
      { id: 'bare', button: 'tools', label: 'Uncovered', help: 'show text that is in no unit', keys: ['o'], run: () => showBare(own) },
      ...own.common(),
    ];
  },
});

function showBare(own) {
  own.isBare = !own.isBare;
  document.getElementById('do-bare').setAttribute('aria-pressed', String(own.isBare));
  tell(own.isBare ? document.getElementById('uncovered').textContent : 'Uncovered text is not marked.');
  own.paint();
}

// Lists the annotated peers for organizers.
function sheets(own) {
  const { whole } = own.board;
  const body = document.getElementById('sheets');
  if (!whole.sheets?.length || !body) return;
  body.closest('section').hidden = false;
  body.replaceChildren(...whole.sheets.map((sheet) => {
    const row = document.createElement('tr');
    const link = document.createElement('a');
    link.href = `/annotate/${sheet.sheet}${sheet.given ? `?board=${own.root.dataset.board}` : ''}`;
    link.textContent = sheet.system;
    const cells = [link, sheet.assessor || '–', sheet.marks, sheet.tasks || '–', sheet.given ? 'imported' : sheet.submitted ? 'submitted' : sheet.marks ? 'in work' : 'no marks yet'];
    row.append(...cells.map((content) => {
      const cell = document.createElement('td');
      cell.append(content);
      return cell;
    }));
    return row;
  }));
}

desk.open();
