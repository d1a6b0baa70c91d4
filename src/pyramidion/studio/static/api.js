// Shared by all pages: requests with the CSRF token, and a status line.

const csrf = document.querySelector('meta[name=csrf]')?.content ?? '';

// A quiet message repeats what the page shows; only screen readers need it.
export function announce(text, { quiet = false } = {}) {
  const status = document.getElementById('status');
  status.textContent = text;
  status.classList.toggle('unseen', quiet);
}

export class Refused extends Error {
  constructor(status, content) {
    super([content.error, content.hint].filter(Boolean).join(' '));
    this.status = status;
    this.content = content;
  }
}

// Sends and returns JSON; throws Refused for an error status, TypeError without a network.
export async function call(method, path, body, options = {}) {
  const headers = { 'X-CSRF-Token': csrf };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const answer = await fetch(path, {
    ...options, method, headers, credentials: 'same-origin', body: body === undefined ? undefined : JSON.stringify(body),
  });
  const content = await answer.json().catch(() => ({ error: `The server answered ${answer.status}.` }));
  if (!answer.ok) throw new Refused(answer.status, content);
  return content;
}

export function newKey() {
  return crypto.randomUUID?.() ?? Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, '0')).join('');
}
