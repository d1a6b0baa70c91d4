// Judging: one summary at a time, one keystroke per score.
//
// The page shows the state of the server plus the events that are not sent yet.

import { Refused, call, newKey, announce } from './api.js';
import { showNotice } from './notice.js';
import { StoredList, Queue } from './queue.js';
import { Stopwatch } from './stopwatch.js';
import { showFeedback } from './training.js';
import { divide } from './panes.js';

const PREFETCHED = 20;
const NAMES = { judge: 'Summary', prefer: 'Pair', checklist: 'Summary', unit: 'Unit', statements: 'Summary' };

const at = (id) => document.getElementById(id);
const root = at('judge');
const address = root.dataset.address;
const { kind } = root.dataset; // of work: scores, or the questions of each item
let measures = [...root.querySelectorAll('.measure')];
const comment = at('comment');

const texts = new Map(); // loaded items, or their pending requests
const undoList = new StoredList(`pyramidion.undo.${root.dataset.queue}${kind}`, 200);
const isPreview = !root.dataset.queue;
const nothing = { events: [], refused: [], unsent: 0, problem: '', isFragile: false, add() {}, send() {}, forgetRefused() {} };
const queue = isPreview ? nothing : new Queue({ name: root.dataset.queue, address: `${address}/events`, changed: showSaved });
const watch = new Stopwatch();
const pageEvents = []; // all events of this page

let items = [];
let isOpen = true;
let current = -1;
let active = -1; // the index of the measure that a digit scores; -1 if all have a score
let shown = ''; // the item whose text is shown
let isContinued = false; // whether the comment being written was already stored
let refusedBefore = queue.refused.length;

const item = () => items[current];
const nameOf = (measure) => {
  const name = measure.querySelector('.name').firstChild.data.trim();
  return name.length > 60 ? `${name.slice(0, 59)}…` : name;
};
const isDone = (entry) => entry.stage === 'submitted';
const canChange = () => isOpen && item() && !isDone(item());

function make(tag, text = '', className = '') {
  return Object.assign(document.createElement(tag), { textContent: text, className });
}

// --- events

function apply({ item: token, kind, measure, value, text }) {
  const entry = items.find((other) => other.token === token);
  if (!entry) return;
  if (kind === 'score' && value === null) delete entry.scores[measure];
  else if (kind === 'score') entry.scores[measure] = value;
  else if (kind === 'comment') entry.comment = text;
  if (kind === 'submit') entry.stage = 'submitted';
  else if (kind !== 'time' && (kind === 'reopen' || !isDone(entry))) {
    entry.stage = Object.keys(entry.scores).length || entry.comment ? 'draft' : 'new';
  }
}

function act(kind, data = {}, on = item()) {
  const event = { key: newKey(), item: on.token, kind, ...data };
  apply(event);
  pageEvents.push(event);
  queue.add(event);
}

function remember(entry) {
  undoList.all = [...undoList.all, { item: item().token, ...entry }];
}

function setScore(measure, value, on = item()) {
  const { measure: name, version } = measure.dataset;
  act('score', { measure: name, value, guideline: Number(version) }, on);
}

const pointsOf = (measure) => [...measure.querySelectorAll('.values button')];
const labelOf = (measure, value) => pointsOf(measure).find((button) => Number(button.value) === value)?.textContent ?? value;

function allows(measure, value) {
  const field = measure.querySelector('input');
  return field ? field.value !== '' && field.checkValidity() : pointsOf(measure).some((button) => Number(button.value) === value);
}

function score(value) {
  const measure = measures[active];
  if (!item() || mayNotChange()) return;
  if (shown !== item().token) return announce('Wait until the summary is shown.');
  if (!measure) return announce('All measures have a score. Enter submits; the arrows choose a measure.');
  const { measure: name, scale } = measure.dataset;
  if (!allows(measure, value)) return announce(`${nameOf(measure)} is judged on a scale: ${scale}.`);
  remember({ kind: 'score', measure: name, before: item().scores[name] ?? null, after: value });
  setScore(measure, value);
  const open = nextOpen(active);
  activate(open < 0 && active + 1 < measures.length ? active + 1 : open, { focus: true });
  const next = measures[active] ? `Next: ${nameOf(measures[active])}.` : 'Enter submits.';
  announce(`${nameOf(measure)}: ${labelOf(measure, value)}. ${next}`);
  show();
}

function mayNotChange() {
  if (!isOpen) announce('The evaluation is closed: you can read, but not change anything.');
  else if (isDone(item())) announce('This summary is submitted. Press r to reopen it.');
  return !canChange();
}

// A comment is stored when typing stops; undo reverts it as a whole.
function saveComment() {
  const before = item()?.comment;
  if (!canChange() || comment.value === before) return;
  const entries = undoList.all;
  if (isContinued && entries.at(-1)?.kind === 'comment') {
    undoList.all = [...entries.slice(0, -1), { ...entries.at(-1), after: comment.value }];
  } else {
    remember({ kind: 'comment', before, after: comment.value });
  }
  isContinued = document.activeElement === comment;
  act('comment', { text: comment.value });
  show();
}

function undo() {
  if (!isOpen) return announce('The evaluation is closed: you can read, but not change anything.');
  saveComment();
  const entries = undoList.all;
  while (entries.length) {
    const last = entries.pop();
    const entry = items.find(({ token }) => token === last.item);
    const isScore = last.kind === 'score';
    const now = isScore ? entry?.scores[last.measure] ?? null : entry?.comment;
    if (!entry || now !== last.after) continue; // it was changed elsewhere
    undoList.all = entries;
    // The questions of other items are not on the page.
    const measure = measures.find(({ dataset }) => dataset.measure === last.measure) ?? { dataset: { measure: last.measure, version: 0 } };
    return takeBack(entry, isScore ? measure : undefined, last.before);
  }
  undoList.all = entries;
  return announce('There is nothing to undo.');
}

function takeBack(entry, measure, before) {
  if (isDone(entry)) act('reopen', {}, entry);
  if (measure) setScore(measure, before, entry);
  else act('comment', { text: before }, entry);
  const n = items.indexOf(entry);
  const what = measure ? measure.isConnected ? nameOf(measure) : 'an answer' : 'the comment';
  const message = `Undone: ${what} of summary ${n + 1} is ${before === null || before === '' ? 'empty' : before} again. `;
  goTo(n, message);
  if (measures.includes(measure)) activate(measures.indexOf(measure));
  show();
  announce(message);
}

function submit() {
  if (!item() || mayNotChange()) return;
  if (shown !== item().token) return announce('Wait until the summary is shown.');
  saveComment();
  const missing = nextOpen(-1);
  if (missing >= 0) {
    activate(missing, { focus: true });
    return announce(`${nameOf(measures[missing])} has no score yet.`);
  }
  sendTime();
  act('submit');
  if (item().training) showFeedback(`${address}/items/${item().token}/feedback`, at('feedback'));
  const after = [...items.keys()].map((n) => (current + 1 + n) % items.length);
  const next = after.find((n) => !isDone(items[n]));
  if (next === undefined) {
    show();
    at('summary-name').focus({ preventScroll: true });
    return announce('All done. Thank you!');
  }
  return goTo(next, 'Submitted. ');
}

function reopen() {
  if (!isOpen || !item() || !isDone(item())) return;
  act('reopen');
  activate(0);
  show();
  announce('Reopened. Submit it again when it is right.');
}

function sendTime() {
  const seconds = watch.take();
  if (seconds && canChange()) act('time', { seconds });
}

// --- the current item

function nextOpen(from) {
  const order = measures.map((_, n) => (from + 1 + n) % measures.length);
  return order.find((n) => item().scores[measures[n].dataset.measure] === undefined) ?? -1;
}

function activate(index, { focus = false } = {}) {
  if (kind !== 'judge' && !measures.length) index = -1;
  active = index;
  measures.forEach((measure, n) => measure.classList.toggle('active', n === active));
  if (focus) (measures[active] ?? at('submit')).focus();
}

function move(step) {
  if (!measures.length) return;
  const from = active < 0 && step > 0 ? -1 : active < 0 ? measures.length : active;
  activate((from + step + measures.length) % measures.length, { focus: true });
}

function goTo(index, message = '') {
  if (index < 0 || index >= items.length) return announce('There is no other summary.');
  if (index === current) return undefined;
  saveComment();
  sendTime();
  current = index;
  if (kind !== 'judge') measures = [];
  comment.value = item().comment;
  isContinued = false;
  activate(nextOpen(-1));
  show();
  showText(message);
  at('summary-name').focus({ preventScroll: true });
  scrollTo(0, 0);
  root.querySelector('.sheet').scrollTop = 0;
  return undefined;
}

// --- rendering

function show() {
  if (!item()) return;
  at('where').textContent = `${NAMES[kind]} ${current + 1} of ${items.length}`;
  at('stage').className = `stage ${item().training ? 'flag' : ''}`;
  at('stage').textContent = { new: '', draft: 'draft', submitted: 'submitted' }[item().stage] || '';
  if (item().training) at('stage').textContent = `training ${at('stage').textContent}`.trim();
  measures.forEach(showMeasure);
  if (document.activeElement !== comment) comment.value = item().comment;
  comment.readOnly = !canChange();
  at('note').textContent = item().note ? `The organizer asks you to look at this again: ${item().note}` : '';
  at('submit').hidden = !canChange();
  at('reopen').hidden = !isOpen || !isDone(item());
  showItems();
}

function showMeasure(measure) {
  const { measure: name, scale } = measure.dataset;
  const value = item().scores[name];
  const field = measure.querySelector('input');
  if (field && document.activeElement !== field) field.value = value ?? '';
  if (field) field.readOnly = !canChange();
  for (const button of pointsOf(measure)) {
    button.setAttribute('aria-pressed', String(Number(button.value) === value));
    button.disabled = !canChange();
  }
  measure.setAttribute('aria-label', `${nameOf(measure)}, ${scale}: ${value === undefined ? 'no score yet' : labelOf(measure, value)}`);
}

function showItems() {
  const list = at('items');
  while (list.children.length < items.length) {
    const button = make('button', list.children.length + 1);
    button.type = 'button';
    list.append(make('li'));
    list.lastChild.append(button);
  }
  items.forEach(({ stage }, n) => {
    const button = list.children[n].firstChild;
    button.className = `plain ${stage}`;
    button.setAttribute('aria-label', `${NAMES[kind]} ${n + 1}, ${stage}`);
    if (n === current) button.setAttribute('aria-current', 'true');
    else button.removeAttribute('aria-current');
  });
}

function showSaved() {
  showNotice(queue, {
    unit: 'answer',
    describe: refusal,
    also: isOpen ? '' : 'The evaluation is closed: you can read your answers, but not change them.',
    idle: isPreview ? 'Preview: nothing is stored' : 'All saved',
  });
  const { length } = queue.refused;
  // Refused events are still shown: load the stored state.
  if (length > refusedBefore && items.length) refresh().then(show, () => {});
  refusedBefore = length;
}

function refusal({ item: token, kind, measure, value, text }) {
  const n = items.findIndex((entry) => entry.token === token) + 1;
  const what = { score: `${measure} ${value}`, comment: `comment “${text}”` }[kind] ?? kind;
  return `${what}${n ? ` of summary ${n}` : ''}`;
}

// --- texts

function load(token) {
  if (!texts.has(token)) {
    const text = call('GET', `${address}/items/${token}`);
    texts.set(token, text);
    text.catch(() => texts.delete(token));
  }
  return texts.get(token);
}

async function showText(message = '') {
  const { token } = item();
  shown = '';
  root.classList.add('loading');
  try {
    const text = await load(token);
    if (token !== item().token) return;
    fill(text);
    shown = token;
    if (kind !== 'judge') ask(text.questions);
    root.classList.remove('loading');
    announce(`${message}${NAMES[kind]} ${current + 1} of ${items.length}: ${text.topic}.`, { quiet: !message });
    prefetch();
  } catch (error) {
    if (token !== item().token) return;
    const final = error instanceof Refused && error.status < 500;
    announce(final ? error.message : 'This summary cannot be loaded now. Trying again.');
    if (!final) setTimeout(() => { if (token === item().token) showText(message); }, 2000);
  }
}

// The next items can be read and judged offline.
async function prefetch() {
  const next = items.filter((entry, n) => n > current && !isDone(entry)).slice(0, PREFETCHED);
  for (const { token } of next) await load(token).catch(() => {});
}

function fill(text) {
  at('title').textContent = text.topic;
  at('narrative').textContent = text.narrative;
  const limit = text.word_limit ? `at most ${text.word_limit} words` : '';
  at('task').textContent = [text.task, limit].filter(Boolean).join(', ');
  at('category').hidden = !text.category;
  at('category-name').textContent = `Category: ${text.category}`;
  at('aspects').replaceChildren(...text.aspects.flatMap((aspect) => [make('dt', aspect.name), make('dd', aspect.description)]));
  at('summary').replaceChildren(...paragraphs(text.summary || '(This summary is empty.)'));
  at('second')?.replaceChildren(...paragraphs(text.second || '(This summary is empty.)'));
  at('sources').hidden = !text.documents.length && !text.known.length;
  at('documents').replaceChildren(...text.documents.map(article));
  at('known-part').hidden = !text.known.length;
  at('known').replaceChildren(...text.known.map(article));
  at('references-part').hidden = !text.references.length;
  at('references').replaceChildren(...text.references.map((reference, n) => article({ headline: `Reference ${n + 1}`, text: reference })));
}

function answerButton(value, label, place) {
  const button = Object.assign(make('button', label, 'plain'), { type: 'button', tabIndex: -1, value });
  button.dataset.key = place + 1;
  return button;
}

// Shows the questions about an item in place of measures.
function ask(questions) {
  measures = questions.map(({ id, text, answers }, number) => {
    const measure = make('div', '', 'measure labelled');
    const name = make('div', text, 'name');
    const values = make('div', '', 'values');
    Object.assign(measure.dataset, { measure: id, version: 0, scale: answers.map(([, label]) => label).join(', ') });
    measure.setAttribute('role', 'group');
    measure.tabIndex = 0;
    name.dir = 'auto';
    if (questions.length === 1) name.classList.add('unseen');
    if (kind === 'unit') name.prepend(`${number + 1}. `);
    values.append(...answers.map(([value, label], place) => answerButton(value, label, place)));
    measure.append(name, values);
    return measure;
  });
  at('measures').replaceChildren(...measures);
  if (!measures.length) at('measures').append(make('p', 'There is nothing to answer: the pyramid or the summary has changed. Submit it.'));
  activate(nextOpen(-1));
  show();
}

function paragraphs(text) {
  return text.split(/\n\s*\n/).map((piece) => Object.assign(make('p', piece), { dir: 'auto' }));
}

function article({ headline, source, date, text }, n) {
  const element = make('article');
  element.append(make('h3', headline || `Document ${n + 1}`));
  const from = [source, date].filter(Boolean).join(', ');
  if (from) element.append(make('p', from, 'soft'));
  element.append(...paragraphs(text));
  return element;
}

// --- keys and buttons

function toggle(details) {
  if (!details) return;
  details.open = !details.open;
  if (details.open) details.scrollIntoView({ block: 'nearest' });
}

const ACTIONS = {
  previous: () => goTo(current - 1),
  next: () => goTo(current + 1),
  undo,
  submit,
  reopen,
  comment: () => comment.focus(),
  guideline: () => toggle(measures[active]?.querySelector('details')),
  documents: () => toggle(at('sources')),
  keys: () => at('keys').showModal(),
};

const KEYS = {
  n: ACTIONS.next, p: ACTIONS.previous, u: undo, c: ACTIONS.comment, r: reopen, g: ACTIONS.guideline,
  d: ACTIONS.documents, '?': ACTIONS.keys, ArrowUp: () => move(-1), ArrowDown: () => move(1),
  ArrowLeft: () => (kind === 'prefer' ? score(-1) : move(-1)),
  ArrowRight: () => (kind === 'prefer' ? score(1) : move(1)),
  Enter: submit, '-': () => score(10),
};

// A digit is the value where points are whole numbers without labels, and the place of a point otherwise.
function typed(key) {
  const points = measures[active] ? pointsOf(measures[active]) : [];
  const values = points.map((button) => Number(button.value));
  const plain = points.every((button) => button.textContent === button.value && Number.isInteger(Number(button.value)));
  if (!plain) return values[key === '0' ? 9 : Number(key) - 1] ?? NaN;
  return key === '0' && !values.includes(0) ? 10 : Number(key);
}

function onDigit(event) {
  const field = measures[active]?.querySelector('input');
  if (!field) {
    event.preventDefault();
    if (!event.repeat) score(typed(event.key));
  } else if (canChange()) {
    field.focus(); // the digit is typed there
    field.select();
  }
}

function onKey(event) {
  const { key, target } = event;
  if (event.defaultPrevented || event.altKey) return;
  if (at('keys').open) {
    if (key === '?') at('keys').close();
    return;
  }
  if (target === comment) {
    if (key !== 'Escape' && !(key === 'Enter' && event.ctrlKey)) return;
    event.preventDefault();
    at('summary-name').focus({ preventScroll: true });
    return;
  }
  if ((event.ctrlKey || event.metaKey) && key === 'z') { event.preventDefault(); undo(); }
  if (event.ctrlKey || event.metaKey) return;
  if (['Enter', ' '].includes(key) && target.closest('button, a, summary')) return;
  if (target.matches('.values input') && !['Enter', 'ArrowLeft', 'ArrowRight'].includes(key)) return;
  if (target.matches('.values input') && key === 'Enter' && target.value !== String(item().scores[measures[active].dataset.measure] ?? '')) {
    event.preventDefault();
    score(Number(target.value));
    return;
  }
  if (/^[0-9]$/.test(key)) { onDigit(event); return; }
  const run = KEYS[key];
  if (!run) return;
  event.preventDefault();
  run();
}

function onClick({ target }) {
  const button = target.closest('button');
  if (!button) return;
  const measure = measures.indexOf(button.closest('.measure'));
  if (button.dataset.do) ACTIONS[button.dataset.do]();
  else if (measure >= 0) { activate(measure); score(Number(button.value)); }
  else if (at('items').contains(button)) goTo([...at('items').children].indexOf(button.parentElement));
}

function leave() {
  saveComment();
  sendTime();
  queue.send({ closing: true });
}

function listen() {
  document.addEventListener('keydown', onKey);
  root.addEventListener('click', onClick);
  at('measures').addEventListener('focusin', ({ target }) => activate(measures.indexOf(target.closest('.measure'))));
  at('measures').addEventListener('change', ({ target: field }) => {
    const measure = field.closest('.measure');
    if (item() && Number(field.value) !== item().scores[measure.dataset.measure]) { activate(measures.indexOf(measure)); score(Number(field.value)); }
  });
  let pause = 0;
  comment.addEventListener('focus', () => { isContinued = false; });
  comment.addEventListener('input', () => {
    clearTimeout(pause);
    pause = setTimeout(saveComment, 1500);
  });
  comment.addEventListener('blur', saveComment);
  addEventListener('pagehide', leave);
  document.addEventListener('visibilitychange', () => (document.hidden ? leave() : comeBack()));
}

// --- start

async function refresh() {
  const [waiting, before] = [queue.events, pageEvents.length];
  const answer = await call('GET', `${address}${kind === 'judge' ? '' : `?kind=${kind}`}`);
  ({ items, is_open: isOpen } = answer);
  // The answer may be older than events sent in the meantime.
  const refused = new Set(queue.refused.map(({ key }) => key));
  [...waiting, ...pageEvents.slice(before)].filter(({ key }) => !refused.has(key)).forEach(apply);
  return answer.resume;
}

// The person may have worked in another tab or browser.
function comeBack() {
  if (current < 0 || isPreview) return;
  refresh().then(() => { show(); showSaved(); }, () => {});
  queue.send();
}

async function begin() {
  try {
    const waiting = queue.events.filter(({ kind }) => kind !== 'time');
    const last = await refresh();
    const resumed = waiting.at(-1)?.item ?? last;
    const touched = items.findIndex(({ token }) => token === resumed);
    const open = items.findIndex((entry) => !isDone(entry));
    goTo(touched >= 0 && (open < 0 || !isDone(items[touched])) ? touched : Math.max(open, 0));
    showSaved();
    queue.send();
  } catch (error) {
    announce(error instanceof Refused ? error.message : 'There is no connection. Trying again.');
    if (!(error instanceof Refused)) setTimeout(begin, 2000);
  }
}

at('sources').open = at('references-part').open = at('all').open = matchMedia('(min-width: 60rem)').matches;
if (!['prefer', 'unit'].includes(root.dataset.kind)) divide(root, ['documents', 'summary']);
listen();
begin();
