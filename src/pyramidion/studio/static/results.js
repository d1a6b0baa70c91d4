// Updates results as judgments arrive.
import { tell } from './api.js';

const SOON = 1000, LATER = 5000;

function openFolds(root) {
  return [...root.querySelectorAll('details')].map((fold) => fold.open);
}

function exchange(old, made) {
  const folds = openFolds(old);
  made.querySelectorAll('details').forEach((fold, place) => { fold.open = folds[place] ?? fold.open; });
  old.replaceWith(document.adoptNode(made));
}

async function look() {
  const old = document.getElementById('results');
  let soon = 'waiting' in old.dataset;
  // Do not interrupt somebody who reads or sorts a table.
  if (!document.hidden && (soon || !old.contains(document.activeElement))) {
    const answer = await fetch(location.href, { credentials: 'same-origin' }).catch(() => null);
    const text = answer?.ok ? await answer.text() : '';
    const made = new DOMParser().parseFromString(text, 'text/html').getElementById('results');
    if (text && !made) location.reload(); // the report is ready
    if (made && (soon || made.dataset.version !== old.dataset.version || 'waiting' in made.dataset)) {
      soon = 'waiting' in made.dataset;
      exchange(old, made);
      if (!soon) {
        tell('The results are up to date.');
        setTimeout(() => tell(''), LATER);
      }
    }
  }
  setTimeout(look, soon ? SOON : LATER);
}

const waiting = 'waiting' in document.getElementById('results').dataset;
setTimeout(look, waiting ? SOON : LATER);
