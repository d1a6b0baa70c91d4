// Shows what is not sent yet and why, and what the server refused.

const PROBLEMS = {
  network: 'There is no connection. You can continue: your work is kept in this browser and sent when it is back.',
  login: 'You are no longer logged in. Your work is kept in this browser and sent when you are back.',
  closed: 'The evaluation is closed: late work is kept in this browser but not stored.',
};

let noticed = '';

const make = (tag, text, attributes = {}) => Object.assign(document.createElement(tag), { textContent: text, ...attributes });

const button = (text, run) => {
  const element = make('button', text, { type: 'button', className: 'plain' });
  element.addEventListener('click', run);
  return element;
};

// `describe` names an event, and `again` returns a function that stores a refused one after all, or
// null.
export function showNotice(queue, { unit, describe, again = () => null, also = '', idle = 'All saved' }) {
  const count = queue.unsent;
  const saved = document.getElementById('saved');
  saved.textContent = count ? `${count} ${unit}${count === 1 ? '' : 's'} not sent yet` : idle;
  saved.classList.toggle('wrong', Boolean(count && queue.problem));
  const problem = count ? PROBLEMS[queue.problem] ?? '' : '';
  const fragile = problem && queue.isFragile ? 'This browser stores nothing: keep the page open until all is saved.' : '';
  const texts = [problem || also, fragile].filter(Boolean);
  const { refused } = queue;
  const state = JSON.stringify([texts, refused.map(({ key }) => key)]);
  if (noticed === state) return;
  noticed = state;
  const lines = texts.map((text) => make('p', text));
  if (problem === PROBLEMS.login) lines[0].append(' ', make('a', 'Log in', { href: '/login' }));
  for (const event of refused) {
    const line = make('p', `Not stored: ${describe(event)} (${event.reason}).`);
    const repeat = again(event);
    if (repeat) line.append(' ', button('Store it now', repeat));
    lines.push(line);
  }
  if (refused.length) lines.push(button('I have read this', () => queue.forgetRefused()));
  document.getElementById('notice').replaceChildren(...lines);
}
