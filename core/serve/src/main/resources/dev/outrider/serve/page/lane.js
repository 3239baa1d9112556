// Shows one run: its text, its numbers, the draft of its last round.

import { count as many, draw, visible, words } from './tree.js';

const MAX_IN_BLOCK = 400;
const ORIGINS = { accepted: 'accepted guess', correction: 'correction', bonus: 'bonus', plain: 'plain' };
const REASONS = {
  end_of_sequence: 'end of the text', stop_string: 'stop text', max_tokens: 'as many tokens as were asked for',
  deadline: 'deadline', cancelled: 'stopped', closed: 'the server ends',
};

function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function digits(value, places) {
  return value === null ? '–' : value.toFixed(places);
}

export class Lane {
  constructor(run, name) {
    this.run = run;
    this.root = document.getElementById('lane').content.firstElementChild.cloneNode(true);
    const find = selector => this.root.querySelector(selector);
    this.find = find;
    find('h2').textContent = name;
    this.name = name;
    find('h2').id = `lane-${Lane.count = (Lane.count ?? 0) + 1}`;
    this.root.setAttribute('aria-labelledby', find('h2').id);
    this.text = find('.text');
    this.text.setAttribute('aria-label', `Text of ${name}`);
    find('progress').setAttribute('aria-label', `Tokens of ${name}`);
    this.shown = []; // an element for each round
    this.drawn = -1;
  }

  fail(message) {
    this.find('.failure').textContent = visible(message);
  }

  /** Shows the first rounds. The tree is drawn if it is wanted: many in a second cannot be seen. */
  show(count, withTree) {
    const { run, shown, text } = this;
    if (run.start && !this.find('.about').textContent) {
      const { model, temperature, seed, maxTokens, promptTokens } = run.start;
      this.find('.about').textContent = visible(`${model}, temperature ${temperature}, seed ${seed}, prompt of ${many(promptTokens, 'token')}`);
      this.find('progress').max = Math.max(1, maxTokens);
    }
    const ended = run.end !== null && count === run.rounds.length;
    if (count === shown.length && ended === this.ended && !(withTree && this.drawn !== count)) return;
    const bottom = text.scrollHeight - text.scrollTop - text.clientHeight < 40;
    shown.at(-1)?.classList.remove('now');
    this.tail?.remove();
    while (shown.length > count) {
      const block = shown.at(-1).parentElement;
      const whole = shown.length - block.childElementCount >= count;
      shown.length -= whole ? block.childElementCount : 1;
      if (whole) block.remove(); else block.lastElementChild.remove();
    }
    while (shown.length < count) this.#append(run.rounds[shown.length], shown.length);
    if (ended) {
      this.tail = element('span', 'mark', ` ${visible(run.end.rest)}■ ${visible(REASONS[run.end.reason] ?? run.end.reason)}`);
      (text.lastElementChild ?? text).append(this.tail);
    } else {
      shown.at(-1)?.classList.add('now');
    }
    this.ended = ended;
    if (bottom || withTree) text.scrollTop = text.scrollHeight;
    this.#numbers(run.numbers(count));
    if (withTree) this.#tree(count);
  }

  #append(round, index) {
    const group = element('span');
    for (const token of round.tokens) {
      const span = element('span', `t ${token.origin}`, visible(token.text));
      span.title = `round ${index + 1}: ${ORIGINS[token.origin]}`;
      if (!token.text) {
        span.append(element('span', 'mark', '▯'));
        span.title += `, no text yet: ${visible(token.piece ?? '')}`;
      }
      group.append(span);
    }
    const before = this.shown.length ? this.run.rounds[index - 1].tokens.at(-1).text : '\n';
    let block = this.text.lastElementChild;
    // A block for each line, and for so many rounds without one: the browser lays out only the block that changes.
    if (!block || before.endsWith('\n') || block.childElementCount >= MAX_IN_BLOCK) {
      block = element('div');
      block.dir = 'auto';
      this.text.append(block);
    }
    block.append(group);
    this.shown.push(group);
  }

  #numbers(sum) {
    this.find('progress').value = sum.tokens;
    const rows = [
      ['Tokens', sum.tokens],
      ['Tokens a second', digits(sum.speed, 1)],
      ['Rounds', sum.rounds],
      ['Tokens a round', digits(sum.rounds ? sum.tokens / sum.rounds : null, 2)],
      ['First token', sum.first === null ? '–' : `${digits(sum.first, 0)} ms`],
    ];
    if (sum.drafted) rows.push(['Guesses accepted', `${sum.guesses} of ${sum.drafted}`]);
    this.find('.numbers').replaceChildren(...rows.map(([name, value]) => {
      const row = element('div');
      row.append(element('dt', '', name), element('dd', '', String(value)));
      return row;
    }));
    const table = this.find('.positions');
    table.hidden = sum.reached.length === 0;
    table.tBodies[0].replaceChildren(...sum.reached.slice(0, 32).map((reached, position) => {
      const row = element('tr');
      const share = sum.accepted[position] / reached;
      const cell = element('td');
      const bar = element('span', 'bar');
      bar.style.width = `${share * 70}%`;
      cell.append(bar, `${Math.round(share * 100)} %`);
      row.append(element('td', '', String(position + 1)), element('td', '', `${sum.accepted[position]} of ${reached}`), cell);
      return row;
    }));
  }

  #tree(count) {
    this.drawn = count;
    const figure = this.find('figure');
    const round = this.run.rounds[count - 1];
    const drafts = this.run.rounds.some(each => each.tree.length > 1);
    figure.hidden = !drafts;
    if (!drafts) return;
    const canvas = this.find('.canvas');
    if (!round || round.tree.length === 0) {
      canvas.replaceChildren();
      this.find('figcaption').textContent = '';
      return;
    }
    const left = draw(canvas, round);
    this.find('figcaption').textContent = `Round ${count}: ${words(round)}.${left ? ` ${left} further guesses are not drawn.` : ''}`;
  }

  /** The run in a sentence. */
  summary() {
    const sum = this.run.numbers(this.run.rounds.length);
    return `${this.name}: ${many(sum.tokens, 'token')} in ${many(sum.rounds, 'round')}${sum.speed === null ? '' : `, ${digits(sum.speed, 1)} a second`}`;
  }
}
