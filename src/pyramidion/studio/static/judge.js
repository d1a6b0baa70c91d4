// Judging: one summary at a time, one keystroke per score.
//
// The page shows the state of the server plus the events that are not sent yet.

import { Refused, call, newKey, tell } from './api.js';
import { Kept, Queue } from './queue.js';
import { Stopwatch } from './stopwatch.js';

const at = (id) => document.getElementById(id);
const root = at('judge');
const address = root.dataset.address;
const measures = [...root.querySelectorAll('.measure')];
const comment = at('comment');

const texts = new Map(); // loaded items, or their pending requests
const undone = new Kept(`pyramidion.undo.${root.dataset.queue}`, 200);
const queue = new Queue({ name: root.dataset.queue, address: `${address}/events`, changed: showSaved });
const watch = new Stopwatch();
const made = []; // all events of this page

let items = [];
let isOpen = true;
let place = -1;
let asked = -1; // the index of the measure that a digit scores; -1 if all have a score
let shown = ''; // the item whose text is shown
let goesOn = false; // whether the comment being written was stored already
let refusedBefore = queue.refused.length;

const item = () => items[place];
const nameOf = (measure) => measure.querySelector('.name').firstChild.data.trim();
const isDone = (one) => one.stage === 'submitted';
const canChange = () => isOpen && item() && !isDone(item());

function make(tag, text = '', className = '') {
  return Object.assign(document.createElement(tag), { textContent: text, className });
}

// --- events

function apply({ item: token, kind, measure, value, text }) {
  const one = items.find((other) => other.token === token);
  if (!one) return;
  if (kind === 'score' && value === null) delete one.scores[measure];
  else if (kind === 'score') one.scores[measure] = value;
  else if (kind === 'comment') one.comment = text;
  if (kind === 'submit') one.stage = 'submitted';
  else if (kind !== 'time' && (kind === 'reopen' || !isDone(one))) {
    one.stage = Object.keys(one.scores).length || one.comment ? 'draft' : 'new';
  }
}

function act(kind, data = {}, on = item()) {
  const event = { key: newKey(), item: on.token, kind, ...data };
  apply(event);
  made.push(event);
  queue.add(event);
}

function remember(entry) {
  undone.all = [...undone.all, { item: item().token, ...entry }];
}

function setScore(measure, value, on = item()) {
  const { measure: name, version } = measure.dataset;
  act('score', { measure: name, value, guideline: Number(version) }, on);
}

function score(value) {
  const measure = measures[asked];
  if (!item() || mayNotChange()) return;
  if (shown !== item().token) return tell('Wait until the summary is shown.');
  if (!measure) return tell('All measures have a score. Enter submits; the arrows choose a measure.');
  const { measure: name, low, high } = measure.dataset;
  if (value < Number(low) || value > Number(high)) return tell(`${nameOf(measure)} goes from ${low} to ${high}.`);
  remember({ kind: 'score', measure: name, before: item().scores[name] ?? null, after: value });
  setScore(measure, value);
  const open = nextOpen(asked);
  ask(open < 0 && asked + 1 < measures.length ? asked + 1 : open, { focus: true });
  const next = measures[asked] ? `Next: ${nameOf(measures[asked])}.` : 'Enter submits.';
  tell(`${nameOf(measure)}: ${value}. ${next}`);
  show();
}

function mayNotChange() {
  if (!isOpen) tell('The evaluation is closed: you can read, and not change anything.');
  else if (isDone(item())) tell('This summary is submitted. Press r to reopen it.');
  return !canChange();
}

// A comment is stored when typing stops; undo reverts it as a whole.
function saveComment() {
  const before = item()?.comment;
  if (!canChange() || comment.value === before) return;
  const entries = undone.all;
  if (goesOn && entries.at(-1)?.kind === 'comment') {
    undone.all = [...entries.slice(0, -1), { ...entries.at(-1), after: comment.value }];
  } else {
    remember({ kind: 'comment', before, after: comment.value });
  }
  goesOn = document.activeElement === comment;
  act('comment', { text: comment.value });
  show();
}

function undo() {
  if (!isOpen) return tell('The evaluation is closed: you can read, and not change anything.');
  saveComment();
  const entries = undone.all;
  while (entries.length) {
    const entry = entries.pop();
    const one = items.find(({ token }) => token === entry.item);
    const index = measures.findIndex(({ dataset }) => dataset.measure === entry.measure);
    const now = index >= 0 ? one?.scores[entry.measure] ?? null : one?.comment;
    if (!one || now !== entry.after) continue; // it was changed elsewhere
    undone.all = entries;
    return takeBack(one, measures[index], entry.before);
  }
  undone.all = entries;
  return tell('There is nothing to undo.');
}

function takeBack(one, measure, before) {
  if (isDone(one)) act('reopen', {}, one);
  if (measure) setScore(measure, before, one);
  else act('comment', { text: before }, one);
  const n = items.indexOf(one);
  const what = measure ? nameOf(measure) : 'the comment';
  const told = `Undone: ${what} of summary ${n + 1} is ${before === null || before === '' ? 'empty' : before} again. `;
  goTo(n, told);
  if (measure) ask(measures.indexOf(measure));
  show();
  tell(told);
}

function submit() {
  if (!item() || mayNotChange()) return;
  saveComment();
  const missing = nextOpen(-1);
  if (missing >= 0) {
    ask(missing, { focus: true });
    return tell(`${nameOf(measures[missing])} has no score yet.`);
  }
  sendTime();
  act('submit');
  const after = [...items.keys()].map((n) => (place + 1 + n) % items.length);
  const next = after.find((n) => !isDone(items[n]));
  if (next === undefined) {
    show();
    at('summary-name').focus({ preventScroll: true });
    return tell('All done. Thank you!');
  }
  return goTo(next, 'Submitted. ');
}

function reopen() {
  if (!isOpen || !item() || !isDone(item())) return;
  act('reopen');
  ask(0);
  show();
  tell('Reopened. Submit it again when it is right.');
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

function ask(index, { focus = false } = {}) {
  asked = index;
  measures.forEach((measure, n) => measure.classList.toggle('asked', n === asked));
  if (focus) (measures[asked] ?? at('submit')).focus();
}

function move(step) {
  const from = asked < 0 && step > 0 ? -1 : asked < 0 ? measures.length : asked;
  ask((from + step + measures.length) % measures.length, { focus: true });
}

function goTo(index, told = '') {
  if (index < 0 || index >= items.length) return tell('There is no other summary.');
  if (index === place) return undefined;
  saveComment();
  sendTime();
  place = index;
  comment.value = item().comment;
  goesOn = false;
  ask(nextOpen(-1));
  show();
  showText(told);
  at('summary-name').focus({ preventScroll: true });
  scrollTo(0, 0);
  root.querySelector('.sheet').scrollTop = 0;
  return undefined;
}

// --- rendering

function show() {
  if (!item()) return;
  at('where').textContent = `Summary ${place + 1} of ${items.length}`;
  at('stage').textContent = { new: '', draft: 'draft', submitted: 'submitted' }[item().stage];
  measures.forEach(showMeasure);
  if (document.activeElement !== comment) comment.value = item().comment;
  comment.readOnly = !canChange();
  at('submit').hidden = !canChange();
  at('reopen').hidden = !isOpen || !isDone(item());
  showItems();
}

function showMeasure(measure) {
  const { measure: name, low, high } = measure.dataset;
  const value = item().scores[name];
  for (const button of measure.querySelectorAll('.values button')) {
    button.setAttribute('aria-pressed', String(Number(button.value) === value));
    button.disabled = !canChange();
  }
  measure.setAttribute('aria-label', `${nameOf(measure)}, ${low} to ${high}: ${value ?? 'no score yet'}`);
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
    button.setAttribute('aria-label', `Summary ${n + 1}, ${stage}`);
    if (n === place) button.setAttribute('aria-current', 'true');
    else button.removeAttribute('aria-current');
  });
}

function showSaved() {
  const count = queue.unsent;
  at('saved').textContent = count ? `${count} answer${count === 1 ? '' : 's'} not sent yet` : 'All saved';
  at('saved').classList.toggle('wrong', Boolean(count && queue.problem));
  showNotice(count);
  const { length } = queue.refused;
  // Refused events are still shown: load the stored state.
  if (length > refusedBefore && items.length) refresh().then(show, () => {});
  refusedBefore = length;
}

const PROBLEMS = {
  network: 'There is no connection. You can go on: answers are kept in this browser and sent when it is back.',
  login: 'You are not logged in any more. Your answers are kept in this browser and sent when you are back.',
  closed: 'The evaluation is closed: answers that came too late are kept in this browser and not stored.',
};

let noticed = '';

function showNotice(count) {
  const problem = count ? PROBLEMS[queue.problem] ?? '' : '';
  const fragile = problem && queue.isFragile ? 'This browser keeps nothing: leave the page open until all is saved.' : '';
  const lines = [problem, fragile, ...queue.refused.map(refusal)].filter(Boolean);
  if (!isOpen && !problem) lines.unshift('The evaluation is closed: you can read what you did, and not change it.');
  if (noticed === lines.join('\n')) return;
  noticed = lines.join('\n');
  at('notice').replaceChildren(...lines.map((line) => make('p', line)));
  if (problem === PROBLEMS.login) {
    at('notice').firstChild.append(' ', Object.assign(make('a', 'Log in'), { href: '/login' }));
  }
  if (!queue.refused.length) return;
  const button = Object.assign(make('button', 'I have read this', 'plain'), { type: 'button' });
  button.addEventListener('click', () => queue.forgetRefused());
  at('notice').append(button);
}

function refusal({ item: token, kind, measure, value, text, reason }) {
  const n = items.findIndex((one) => one.token === token) + 1;
  const what = { score: `${measure} ${value}`, comment: `comment “${text}”` }[kind] ?? kind;
  return `Not stored: ${what}${n ? ` of summary ${n}` : ''} (${reason}).`;
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

async function showText(told = '') {
  const own = item().token;
  shown = '';
  root.classList.add('loading');
  try {
    const text = await load(own);
    if (own !== item().token) return;
    fill(text);
    shown = own;
    root.classList.remove('loading');
    tell(`${told}Summary ${place + 1} of ${items.length}: ${text.topic}.`);
    // The next item can be read offline.
    items.filter((one, n) => n > place && !isDone(one)).slice(0, 2).forEach((one) => load(one.token).catch(() => {}));
  } catch (error) {
    if (own !== item().token) return;
    const final = error instanceof Refused && error.status < 500;
    tell(final ? error.message : 'This summary cannot be loaded now. Trying again.');
    if (!final) setTimeout(() => { if (own === item().token) showText(told); }, 2000);
  }
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
  at('sources').hidden = !text.documents.length && !text.known.length;
  at('documents').replaceChildren(...text.documents.map(article));
  at('known-part').hidden = !text.known.length;
  at('known').replaceChildren(...text.known.map(article));
}

function paragraphs(text) {
  return text.split(/\n\s*\n/).map((piece) => Object.assign(make('p', piece), { dir: 'auto' }));
}

function article({ headline, source, date, text }, n) {
  const made = make('article');
  made.append(make('h3', headline || `Document ${n + 1}`));
  const from = [source, date].filter(Boolean).join(', ');
  if (from) made.append(make('p', from, 'soft'));
  made.append(...paragraphs(text));
  return made;
}

// --- keys and buttons

function toggle(details) {
  if (!details) return;
  details.open = !details.open;
  if (details.open) details.scrollIntoView({ block: 'nearest' });
}

const ACTIONS = {
  previous: () => goTo(place - 1),
  next: () => goTo(place + 1),
  undo,
  submit,
  reopen,
  comment: () => comment.focus(),
  guideline: () => toggle(measures[asked]?.querySelector('details')),
  documents: () => toggle(at('sources')),
  keys: () => at('keys').showModal(),
};

const KEYS = {
  n: ACTIONS.next, p: ACTIONS.previous, u: undo, c: ACTIONS.comment, r: reopen, g: ACTIONS.guideline,
  d: ACTIONS.documents, '?': ACTIONS.keys, ArrowUp: () => move(-1), ArrowDown: () => move(1),
  ArrowLeft: () => move(-1), ArrowRight: () => move(1), Enter: submit, '-': () => score(10),
};

function digit(key) {
  const lowest = Number(measures[asked]?.dataset.low ?? 1);
  return key === '0' && lowest > 0 ? 10 : Number(key);
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
  const run = /^[0-9]$/.test(key) ? () => { if (!event.repeat) score(digit(key)); } : KEYS[key];
  if (!run) return;
  event.preventDefault();
  run();
}

function onClick({ target }) {
  const button = target.closest('button');
  if (!button) return;
  const measure = measures.indexOf(button.closest('.measure'));
  if (button.dataset.do) ACTIONS[button.dataset.do]();
  else if (measure >= 0) { ask(measure); score(Number(button.value)); }
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
  measures.forEach((measure, n) => measure.addEventListener('focus', () => ask(n)));
  let pause = 0;
  comment.addEventListener('focus', () => { goesOn = false; });
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
  const [waiting, before] = [queue.events, made.length];
  const told = await call('GET', address);
  ({ items, is_open: isOpen } = told);
  // The answer may be older than events sent in the meantime.
  const refused = new Set(queue.refused.map(({ key }) => key));
  [...waiting, ...made.slice(before)].filter(({ key }) => !refused.has(key)).forEach(apply);
  return told.resume;
}

// The person may have worked in another tab or browser.
function comeBack() {
  if (place < 0) return;
  refresh().then(() => { show(); showSaved(); }, () => {});
  queue.send();
}

async function begin() {
  try {
    const waiting = queue.events.filter(({ kind }) => kind !== 'time');
    const last = await refresh();
    const resumed = waiting.at(-1)?.item ?? last;
    const touched = items.findIndex(({ token }) => token === resumed);
    const open = items.findIndex((one) => !isDone(one));
    goTo(touched >= 0 && (open < 0 || !isDone(items[touched])) ? touched : Math.max(open, 0));
    showSaved();
    queue.send();
  } catch (error) {
    tell(error instanceof Refused ? error.message : 'There is no connection. Trying again.');
    if (!(error instanceof Refused)) setTimeout(begin, 2000);
  }
}

at('sources').open = matchMedia('(min-width: 60rem)').matches;
listen();
begin();
