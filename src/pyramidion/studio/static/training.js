// Shows the known answers of a training item after it is submitted.
import { Refused, call } from './api.js';

const AGAIN = 500, PATIENCE = 40;

function row(tag, ...cells) {
  const line = document.createElement('tr');
  line.append(...cells.map((text) => Object.assign(document.createElement(tag), { textContent: text })));
  return line;
}

// Answers are sent in the background, so the server may not have this one yet.
async function load(address) {
  for (let n = 0; n < PATIENCE; n += 1) {
    try {
      return await call('GET', address);
    } catch (error) {
      if (error instanceof Refused && error.status !== 404) return null;
    }
    await new Promise((resume) => { setTimeout(resume, AGAIN); });
  }
  return null;
}

export async function showFeedback(address, dialog) {
  const feedback = await load(address);
  if (!feedback) return;
  const wrong = feedback.answers.filter((answer) => !answer.is_right).length;
  dialog.querySelector('h2').textContent = wrong ? 'Some of your answers differ' : 'As expected';
  dialog.querySelector('table').replaceChildren(
    row('th', 'Question', 'Your answer', 'Expected'),
    ...feedback.answers.map(({ question, answer, expected, is_right: isRight }) => {
      const line = row('td', question, answer, isRight ? `${expected} ✓` : expected);
      line.className = isRight ? '' : 'wrong';
      return line;
    }),
  );
  dialog.querySelector('p').textContent = feedback.note;
  // Keys that score must not reach the summary behind it.
  dialog.addEventListener('keydown', (event) => event.stopPropagation());
  dialog.showModal();
}
