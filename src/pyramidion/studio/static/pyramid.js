// The pyramid editor.
import { announce } from './api.js';
import { Desk, plural, short } from './desk.js';
import { ask, choose } from './dialogs.js';

const inTree = (event) => Boolean(event.target.closest('[role=tree]'));

// Contributors are in text order.
const insertionIndex = (unit, parts) => unit.contributors.filter((contributor) => contributor.parts[0][0] < parts[0][0]).length;

const choices = (desk, except) => desk.tree.units
  .filter((unit) => unit.uid !== except)
  .map((unit) => ({ id: unit.uid, text: unit.label, note: `weight ${unit.weight}`, more: desk.unitText(unit) }));

async function newUnit(desk) {
  const { contributors: chosen, restore } = desk.selection.take();
  const contributors = chosen.map((parts) => ({ parts, comment: '' }));
  const text = desk.textOf(chosen[0]);
  const label = await ask(`New unit of ${plural(chosen.length, 'contributor')}`, text);
  if (label === null) { restore(); return; }
  announce(`New unit of weight ${chosen.length}: ${label || text}`);
  desk.tree.aim(desk.board.edit({ edit: 'AddUnit', label: label || text, at: desk.tree.units.length, contributors }));
  desk.render();
}

async function add(desk, uid) {
  const { contributors, restore } = desk.selection.take();
  const to = uid ?? await choose('Add to which unit?', choices(desk));
  if (!to) { restore(); return; }
  announce(`Added ${plural(contributors.length, 'contributor')} to: ${desk.board.pyramid.units[to].label}`);
  desk.tree.aim(to);
  for (const parts of contributors) {
    const at = insertionIndex(desk.board.pyramid.units[to], parts);
    desk.board.edit({ edit: 'AddContributor', uid: to, at, contributor: { parts, comment: '' } });
  }
}

function replaceParts(desk) {
  const { unit, row } = desk.tree;
  const { contributors: [parts, ...more], restore } = desk.selection.take();
  if (more.length) { restore(); announce('Choose words of one reference only.'); return; }
  const { comment } = unit.contributors[row];
  announce(`The contributor is now: ${desk.textOf(parts)}`);
  desk.board.edit({ edit: 'SetContributor', uid: unit.uid, at: row, contributor: { parts, comment } });
}

async function relabel(desk) {
  const { uid } = desk.tree;
  const label = await desk.tree.relabel();
  if (label) { announce(`Label: ${label}`); desk.board.edit({ edit: 'Relabel', uid, label }); }
  desk.render();
}

async function comment(desk) {
  const { unit, row } = desk.tree;
  const target = row === null ? unit : unit.contributors[row];
  const text = await ask(row === null ? 'Comment on the unit' : 'Comment on the contributor', target.comment, { long: true });
  if (text === null) return;
  announce(text ? `Comment: ${text}` : 'No comment.');
  if (row === null) desk.board.edit({ edit: 'Relabel', uid: unit.uid, label: unit.label, comment: text });
  else desk.board.edit({ edit: 'SetContributor', uid: unit.uid, at: row, contributor: { parts: target.parts, comment: text } });
}

async function merge(desk) {
  const { unit } = desk.tree;
  const other = await choose(`Merge which unit into “${short(unit.label)}”?`, choices(desk, unit.uid));
  if (!other) return;
  announce(`Merged ${desk.board.pyramid.units[other].label} into ${unit.label}`);
  desk.board.edit({ edit: 'Merge', into: unit.uid, uid: other });
}

async function split(desk) {
  const { unit, row, checked } = desk.tree;
  const rows = checked.size ? [...checked].sort((a, b) => a - b) : [row];
  const label = await ask(`Split off ${plural(rows.length, 'contributor')}`, desk.textOf(unit.contributors[rows[0]].parts));
  if (label === null) return;
  const at = desk.board.pyramid.order.indexOf(unit.uid) + 1;
  announce(`New unit of weight ${rows.length}: ${label}`);
  checked.clear();
  desk.tree.row = null;
  desk.board.edit({ edit: 'Split', uid: unit.uid, label: label || unit.label, places: rows, at });
}

async function moveContributor(desk) {
  const { unit, row } = desk.tree;
  const to = await choose('Move the contributor to which unit?', choices(desk, unit.uid));
  if (!to) return;
  const target = desk.board.pyramid.units[to];
  announce(`Moved to: ${target.label}`);
  desk.tree.row = null;
  desk.board.edit({ edit: 'MoveContributor', uid: unit.uid, at: row, to, to_at: insertionIndex(target, unit.contributors[row].parts) });
}

function remove(desk) {
  const { unit, row } = desk.tree;
  if (row === null) {
    announce(`Removed the unit: ${unit.label}. Press z to undo.`);
    desk.board.edit({ edit: 'RemoveUnit', uid: unit.uid });
    return;
  }
  announce(`Removed the contributor: ${desk.textOf(unit.contributors[row].parts)}. Press z to undo.`);
  desk.tree.row = unit.contributors.length > 1 ? Math.min(row, unit.contributors.length - 2) : null;
  desk.board.edit({ edit: 'RemoveContributor', uid: unit.uid, at: row });
}

// Moves a unit among those of its weight.
function reorder(desk, by) {
  const { unit, units } = desk.tree;
  const tier = units.filter((other) => other.weight === unit.weight);
  const other = tier[tier.indexOf(unit) + by];
  if (!other) { announce(`It is the ${by < 0 ? 'first' : 'last'} unit of weight ${unit.weight}.`); return; }
  announce(`Moved ${by < 0 ? 'before' : 'after'}: ${other.label}`);
  desk.board.edit({ edit: 'MoveUnit', uid: unit.uid, at: desk.board.pyramid.order.indexOf(other.uid), beside: other.uid });
}

const desk = new Desk({
  rowKind: 'of',
  rows: (desk, unit) => unit.contributors.map((contributor) => {
    const pane = desk.references.find((text) => text.has(contributor.parts[0]?.[0]));
    return { text: contributor.parts.length ? desk.textOf(contributor.parts) : '(no text)', note: [pane?.name.split(' (')[0], contributor.comment].filter(Boolean).join(' · ') };
  }),
  count: () => '',
  unitName: (desk, uid) => desk.board.pyramid.units[uid]?.label ?? '',
  accepted: (desk, suggestion) => ({
    edit: 'AddUnit', label: suggestion.label, at: desk.board.pyramid.order.length, contributors: suggestion.contributors.map(({ parts }) => ({ parts, comment: '' })),
  }),
  rendered: (desk) => {
    const { length } = desk.board.whole.uncovered;
    document.getElementById('uncovered').textContent = length ? `${plural(length, 'stretch', 'stretches')} of text in no unit` : 'All text is in a unit';
  },
  opened: (desk) => { sheets(desk); desk.openTab('texts'); desk.toText(0); },
  commands: (desk) => {
    const mayEdit = () => desk.board.mayEdit;
    const hasUnit = () => mayEdit() && desk.tree.unit !== null;
    const hasRow = () => hasUnit() && desk.tree.row !== null;
    const noRow = 'Go to a contributor first (u, then arrows).';
    const noUnit = 'There is no unit.';
    return [
      { id: 'new', button: 'tools', label: 'New unit', help: 'new unit of the chosen words', keys: ['Enter', 'n'], where: (event) => event.key !== 'Enter' || !inTree(event), run: () => newUnit(desk), enabled: mayEdit },
      { id: 'add', button: 'tools', label: 'Add to unit', help: 'add the chosen words to the current unit', keys: ['a'], run: () => add(desk, desk.tree.uid), enabled: hasUnit, unable: noUnit },
      { id: 'add-to', button: 'tools', label: 'Add to…', help: 'add the chosen words to another unit', keys: ['A'], run: () => add(desk), enabled: hasUnit, unable: noUnit },
      { id: 'keep', button: 'tools', label: 'Keep piece', help: 'keep this piece and choose another', keys: ['Space'], run: () => desk.selection.keep() },
      { id: 'label', button: 'unit-tools', label: 'Label', help: 'change the label', keys: ['l', 'F2', 'Enter'], where: (event) => event.key !== 'Enter' || inTree(event), run: () => relabel(desk), enabled: hasUnit, unable: noUnit },
      { id: 'comment', button: 'unit-tools', label: 'Comment', help: 'comment on the unit or contributor', keys: ['c'], run: () => comment(desk), enabled: hasUnit, unable: noUnit },
      { id: 'merge', button: 'unit-tools', label: 'Merge', help: 'merge another unit into this one', keys: ['m'], run: () => merge(desk), enabled: hasUnit, unable: noUnit },
      { id: 'split', button: 'unit-tools', label: 'Split', help: 'split off the ticked contributors', keys: ['s'], run: () => split(desk), enabled: () => hasUnit() && (desk.tree.checked.size > 0 || desk.tree.row !== null), unable: noRow },
      { id: 'move', button: 'unit-tools', label: 'Move', help: 'move the contributor to another unit', keys: ['v'], run: () => moveContributor(desk), enabled: hasRow, unable: noRow },
      { id: 'replace', button: 'unit-tools', label: 'Replace text', help: 'replace the contributor by the chosen words', keys: ['e'], run: () => replaceParts(desk), enabled: hasRow, unable: noRow },
      { id: 'up', button: 'unit-tools', label: 'Up', help: 'move the unit up', keys: ['Alt+ArrowUp'], run: () => reorder(desk, -1), enabled: hasUnit, unable: noUnit },
      { id: 'down', button: 'unit-tools', label: 'Down', help: 'move the unit down', keys: ['Alt+ArrowDown'], run: () => reorder(desk, 1), enabled: hasUnit, unable: noUnit },
      { id: 'remove', button: 'unit-tools', label: 'Remove', help: 'remove the unit or contributor', keys: ['Delete', 'x'], run: () => remove(desk), enabled: hasUnit, unable: noUnit },
      { id: 'bare', button: 'tools', label: 'Uncovered', help: 'show text that is in no unit', keys: ['o'], run: () => showBare(desk) },
      ...desk.common(),
    ];
  },
});

function showBare(desk) {
  desk.isBare = !desk.isBare;
  document.getElementById('do-bare').setAttribute('aria-pressed', String(desk.isBare));
  announce(desk.isBare ? document.getElementById('uncovered').textContent : 'Uncovered text is not marked.');
  desk.paint();
}

// Lists the annotated peers for organizers.
function sheets(desk) {
  const { whole } = desk.board;
  const body = document.getElementById('sheets');
  if (!whole.sheets?.length || !body) return;
  body.closest('section').hidden = false;
  body.replaceChildren(...whole.sheets.map((sheet) => {
    const row = document.createElement('tr');
    const link = document.createElement('a');
    link.href = `/annotate/${sheet.sheet}${sheet.given ? `?board=${desk.root.dataset.board}` : ''}`;
    link.textContent = sheet.system;
    const cells = [link, sheet.assessor || '–', sheet.marks, sheet.tasks || '–', sheet.given ? 'imported' : sheet.submitted ? 'submitted' : sheet.marks ? 'in progress' : 'no marks yet'];
    row.append(...cells.map((content) => {
      const cell = document.createElement('td');
      cell.append(content);
      return cell;
    }));
    return row;
  }));
}

desk.open();
