// Updates results as judgments arrive.
import { announce } from './api.js';

const SOON = 1000, LATER = 5000;

function openFolds(root) {
  return [...root.querySelectorAll('details')].map((fold) => fold.open);
}

function exchange(old, updated) {
  const folds = openFolds(old);
  updated.querySelectorAll('details').forEach((fold, index) => { fold.open = folds[index] ?? fold.open; });
  old.replaceWith(document.adoptNode(updated));
}

async function look() {
  const old = document.getElementById('results');
  let soon = 'waiting' in old.dataset;
  // Do not interrupt somebody who reads or sorts a table.
  if (!document.hidden && (soon || !old.contains(document.activeElement))) {
    const answer = await fetch(location.href, { credentials: 'same-origin' }).catch(() => null);
    const text = answer?.ok ? await answer.text() : '';
    const updated = new DOMParser().parseFromString(text, 'text/html').getElementById('results');
    if (text && !updated) location.reload(); // the report is ready
    if (updated && (soon || updated.dataset.version !== old.dataset.version || 'waiting' in updated.dataset)) {
      soon = 'waiting' in updated.dataset;
      exchange(old, updated);
      if (!soon) {
        announce('The results are up to date.');
        setTimeout(() => announce(''), LATER);
      }
    }
  }
  setTimeout(look, soon ? SOON : LATER);
}

const waiting = 'waiting' in document.getElementById('results').dataset;
setTimeout(look, waiting ? SOON : LATER);
