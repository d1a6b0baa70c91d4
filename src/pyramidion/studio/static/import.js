// Importing: files are dropped or chosen, checked by the server, and imported on request.
import { announce } from './api.js';

const form = document.getElementById('import');
const drop = document.getElementById('drop');
const pickers = [document.getElementById('files'), document.getElementById('folder')];
const chosen = document.getElementById('chosen');
let files = []; // pairs of a name with folders, and a file

function choose(list) {
  files = list;
  const bytes = list.reduce((sum, [, file]) => sum + file.size, 0);
  const size = bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
  const names = list.slice(0, 3).map(([name]) => name).join(', ');
  chosen.textContent = list.length
    ? `${names}${list.length > 3 ? ` and ${list.length - 3} more` : ''} (${size})` : 'No files are chosen.';
  if (list.length) send('look');
}

// Reads a dropped folder recursively.
async function inside(entry, prefix = '') {
  if (entry.isFile) return [[prefix + entry.name, await new Promise((done, fail) => entry.file(done, fail))]];
  const reader = entry.createReader();
  const entries = [];
  for (;;) {
    const some = await new Promise((done, fail) => reader.readEntries(done, fail));
    if (!some.length) return entries;
    for (const child of some) entries.push(...await inside(child, `${prefix}${entry.name}/`));
  }
}

for (const picker of pickers) {
  // Lets the same file be chosen again after an edit.
picker.addEventListener('click', () => { picker.value = ''; });
picker.addEventListener('change', () => {
    for (const other of pickers) if (other !== picker) other.value = '';
    choose(Array.from(picker.files, (file) => [file.webkitRelativePath || file.name, file]));
  });
}
for (const kind of ['dragenter', 'dragover']) {
  document.addEventListener(kind, (event) => {
    event.preventDefault();
    drop.classList.add('over');
  });
}
for (const kind of ['dragleave', 'drop']) document.addEventListener(kind, () => drop.classList.remove('over'));
document.addEventListener('drop', async (event) => {
  event.preventDefault();
  // Entries become invalid after the first await, so read them all first.
  const dropped = Array.from(event.dataTransfer.items, (item) => {
    const entry = item.webkitGetAsEntry?.();
    const file = item.getAsFile();
    return entry?.isDirectory ? inside(entry) : file ? [[file.name, file]] : [];
  });
  for (const picker of pickers) picker.value = '';
  choose((await Promise.all(dropped)).flat());
});

async function send(action) {
  const data = new FormData(form);
  data.delete('files');
  for (const [name, file] of files) data.append('files', file, name);
  data.set('action', action);
  form.setAttribute('aria-busy', 'true');
  announce(action === 'look' ? 'Reading the files …' : 'Importing …');
  try {
    // Not `form.action`, which is the buttons.
    await show(await fetch(form.getAttribute('action'), {
      method: 'POST', body: data, credentials: 'same-origin', headers: { 'X-CSRF-Token': form.csrf.value },
    }));
  } catch {
    announce('Nothing was imported: the server cannot be reached, or a file was changed. Choose the files again.');
  } finally {
    form.removeAttribute('aria-busy');
  }
}

async function show(answer) {
  if (answer.redirected) {
    location.assign(answer.url);
    return;
  }
  const text = await answer.text();
  const section = document.getElementById('found');
  if (answer.headers.get('content-type')?.startsWith('application/json')) {
    const problem = JSON.parse(text);
    const line = document.createElement('p');
    line.className = 'wrong';
    line.setAttribute('role', 'alert');
    line.textContent = `${problem.error} ${problem.hint ?? ''}`;
    section.replaceChildren(line);
  } else {
    const page = new DOMParser().parseFromString(text, 'text/html');
    const content = page.getElementById('found') ?? page.querySelector('main');
    section.replaceChildren(...content.childNodes);
    if (section.querySelector('.wrong')) form.querySelector('details').open = true;
  }
  announce('');
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  if (files.length) send(event.submitter?.value ?? 'look');
  else announce('Choose files first.');
});
