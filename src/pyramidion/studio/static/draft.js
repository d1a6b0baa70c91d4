// Keeps a text while it is written, for example if a login is needed before it can be saved.
import { announce } from './api.js';

const text = document.getElementById('text');

if (text) {
  const name = `pyramidion.draft.${location.pathname}`;
  const { seen } = text.form;
  const [version, draft] = JSON.parse(sessionStorage.getItem(name)) ?? [];
  if (version === seen.value && draft !== text.value) {
    text.value = draft;
    announce('This text was written before and is not saved yet.');
  }
  text.addEventListener('input', () => sessionStorage.setItem(name, JSON.stringify([seen.value, text.value])));
  document.getElementById('cancel').addEventListener('click', () => sessionStorage.removeItem(name));
}
