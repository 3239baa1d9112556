// Asks the server of this page.

const MAX_EVENT = 16 * 1024 * 1024;

/** An answer that is an error. */
export class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function ask(path, key, options) {
  const headers = { ...options.headers };
  if (key) headers.Authorization = `Bearer ${key}`;
  const response = await fetch(path, { ...options, headers, cache: 'no-store', credentials: 'omit', redirect: 'error' });
  if (!response.ok) {
    let message = `the server answers ${response.status}`;
    try {
      message = String((await response.json()).error.message);
    } catch { /* no body in the form of an error */ }
    throw new Refusal(response.status, message);
  }
  return response;
}

/** What can be chosen. */
export async function variants(key) {
  return (await ask('/page/variants.json', key, {})).json();
}

/** Runs a request and gives each event to a function. @throws Error if it is refused, fails, or the connection breaks */
export async function rounds(body, key, signal, take) {
  const response = await ask('/page/rounds', key, {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body), signal,
  });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  let ended = false;
  try {
    while (true) {
      const part = await reader.read().catch(e => {
        throw signal.aborted ? e : new Error(`the connection broke: ${e.message}`);
      });
      if (part.done) break;
      const events = (rest + part.value).split('\n\n');
      rest = events.pop();
      if (rest.length > MAX_EVENT) throw new Error('the server sends an event that is too long');
      for (const each of events) {
        const event = JSON.parse(each.replace(/^data: /, ''));
        if (event.error) throw new Error(String(event.error.message));
        take(event);
        ended = event.type === 'end';
      }
    }
  } finally {
    reader.cancel().catch(() => {}); // the server need not go on
  }
  if (!ended) throw new Error('the connection broke before the end of the text');
}
