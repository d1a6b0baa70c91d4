// Dialogs: choose from a list by typing, enter a text, and show all keys.

const make = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};

// Opens a dialog and returns the argument of `finish`; then restores the focus. It is not modal,
// because browsers would restyle every word of the page, which is slow; `keepInside` holds the focus.
function openDialog(dialog, first) {
  const before = document.activeElement;
  dialog.setAttribute('aria-modal', 'true');
  const shade = make('div', { class: 'shade' });
  document.body.append(shade, dialog);
  dialog.show();
  first.focus();
  return new Promise((resolve) => {
    dialog.finish = (answer) => {
      before.focus();
      dialog.remove();
      shade.remove();
      resolve(answer);
    };
    shade.onclick = () => dialog.finish(null);
    dialog.addEventListener('keydown', (event) => {
      event.stopPropagation();
      if (event.key === 'Escape') { event.preventDefault(); dialog.finish(null); }
      if (event.key === 'Tab') keepInside(event, dialog);
    });
  });
}

function keepInside(event, dialog) {
  const stops = [...dialog.querySelectorAll('input, textarea, button')];
  const next = stops.indexOf(document.activeElement) + (event.shiftKey ? -1 : 1);
  event.preventDefault();
  stops.at(next % stops.length).focus();
}

// Chooses one of [{id, text, note}]; Enter selects the first that contains all typed words.
export function choose(title, items) {
  const input = make('input', { 'aria-label': title, role: 'combobox', 'aria-expanded': 'true', 'aria-controls': 'choices', autocomplete: 'off', placeholder: 'Type to search' });
  const list = make('ul', { id: 'choices', role: 'listbox', 'aria-label': 'Content units' });
  const dialog = make('dialog', { class: 'choose', 'aria-label': title }, make('h2', {}, title), input, list);
  let matches = [];
  let active = 0;
  const draw = () => {
    list.replaceChildren(...matches.map((item, number) => {
      const option = make('li', { role: 'option', id: `choice-${number}`, 'aria-selected': String(number === active) }, item.text);
      if (item.note) option.append(make('span', { class: 'soft' }, ` ${item.note}`));
      option.onclick = () => dialog.finish(item.id);
      return option;
    }));
    input.setAttribute('aria-activedescendant', matches.length ? `choice-${active}` : '');
    list.children[active]?.scrollIntoView({ block: 'nearest' });
  };
  const search = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    matches = items.filter((item) => words.every((word) => `${item.text} ${item.more ?? ''}`.toLowerCase().includes(word))).slice(0, 60);
    active = 0;
    draw();
  };
  input.oninput = search;
  dialog.onkeydown = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) active = Math.max(0, Math.min(active + step, matches.length - 1));
    if (step) draw();
    if (event.key === 'Enter' && matches.length) dialog.finish(matches[active].id);
    if (step || event.key === 'Enter') event.preventDefault();
  };
  search();
  return openDialog(dialog, input);
}

// Asks for a text; Enter confirms (Ctrl+Enter in a long one).
export function ask(title, value, { long = false } = {}) {
  const input = make(long ? 'textarea' : 'input', { 'aria-label': title, maxlength: long ? '2000' : '1000', autocomplete: 'off' });
  input.value = value;
  const take = make('button', { type: 'button' }, 'OK');
  const leave = make('button', { type: 'button', class: 'plain' }, 'Cancel');
  const dialog = make('dialog', { class: 'ask', 'aria-label': title }, make('h2', {}, title), input, make('p', {}, take, ' ', leave));
  const close = () => dialog.finish(input.value.trim());
  take.onclick = close;
  leave.onclick = () => dialog.finish(null);
  dialog.onkeydown = (event) => {
    if (event.key === 'Enter' && event.target === input && (!long || event.ctrlKey)) {
      event.preventDefault();
      close();
    }
  };
  const answer = openDialog(dialog, input);
  input.select();
  return answer;
}

const LETTERS = 'pyramidion-letter-keys';
export const lettersOn = () => localStorage.getItem(LETTERS) !== 'off';

// Shows all keys: [[title, [[keys, what]]]].
export function showKeys(groups) {
  const key = (text) => make('kbd', {}, text);
  const parts = groups.flatMap(([title, rows]) => [
    make('h3', {}, title),
    make('table', {}, make('tbody', {}, ...rows.map(([keys, what]) => make('tr', {}, make('td', {}, ...keys.flatMap((name) => [key(name), ' '])), make('td', {}, what))))),
  ]);
  const letters = make('input', { type: 'checkbox', id: 'letters' });
  letters.checked = lettersOn();
  letters.onchange = () => localStorage.setItem(LETTERS, letters.checked ? 'on' : 'off');
  const close = make('button', { type: 'button' }, 'Close');
  const title = make('h2', { tabindex: '-1' }, 'Keys');
  const dialog = make('dialog', { class: 'keys', 'aria-label': 'Keys' }, title, make('div', { class: 'columns' }, ...parts), make('label', { for: 'letters' }, letters, ' Single letters are shortcuts'), make('p', {}, close));
  close.onclick = () => dialog.finish(null);
  dialog.onkeydown = (event) => {
    if (event.key === '?') dialog.finish(null);
  };
  return openDialog(dialog, title);
}
