// What a run is: events of the server or of a file. Nothing is shown before it is checked here; only known fields are copied.

export const MAX_BYTES = 64 * 1024 * 1024;
const MAX_RUNS = 2;
const MAX_TOKENS = 50_000;
const MAX_NODES = 500_000;
const MAX_TEXT = 4000;
const MAX_PROMPT = 8_000_000;
const FORMAT = 'outrider-trace';
const ORIGINS = ['accepted', 'correction', 'bonus', 'plain'];

function need(right, where, expected) {
  if (!right) throw new Error(`${where} is not what a trace has: expected ${expected}`);
}

function number(value, where, least, most) {
  need(typeof value === 'number' && value >= least && value <= most, where, `a number from ${least} to ${most}`);
  return value;
}

function whole(value, where, least, most) {
  need(Number.isInteger(value), where, 'a whole number');
  return number(value, where, least, most);
}

function text(value, where, most = MAX_TEXT) {
  need(typeof value === 'string' && value.length <= most, where, `a text of at most ${most} characters`);
  return value;
}

function list(value, where, most) {
  need(Array.isArray(value) && value.length <= most, where, `a list of at most ${most} entries`);
  return value;
}

function object(value, where) {
  need(typeof value === 'object' && value !== null && !Array.isArray(value), where, 'an object');
  return value;
}

function token(value, where) {
  object(value, where);
  need(ORIGINS.includes(value.origin), `${where}.origin`, ORIGINS.join(', '));
  const copy = { id: whole(value.id, `${where}.id`, 0, 2 ** 31), text: text(value.text, `${where}.text`), origin: value.origin };
  if (value.piece !== undefined) copy.piece = text(value.piece, `${where}.piece`);
  return copy;
}

function node(value, where, index) {
  object(value, where);
  need(typeof value.accepted === 'boolean', `${where}.accepted`, 'true or false');
  const copy = {
    parent: whole(value.parent, `${where}.parent`, index === 0 ? -1 : 0, index - 1),
    id: whole(value.id, `${where}.id`, 0, 2 ** 31),
    text: text(value.text, `${where}.text`),
    accepted: value.accepted,
  };
  if (value.q !== undefined) copy.q = number(value.q, `${where}.q`, 0, 1.001);
  return copy;
}

/** One text: a start, rounds, and an end unless it was cut off. */
export class Run {
  constructor() {
    this.start = null;
    this.rounds = [];
    this.end = null;
    this.tokens = 0;
    this.nodes = 0;
  }

  /** Takes the next event. @throws Error if it is no such event */
  add(event, where = 'an event') {
    object(event, where);
    need(event.type === (this.start ? event.type : 'start') && !this.end, `${where}.type`, 'start, then rounds, then end');
    if (event.type === 'start' && !this.start) {
      this.start = {
        type: 'start',
        model: text(event.model, `${where}.model`),
        variant: text(event.variant, `${where}.variant`),
        temperature: number(event.temperature, `${where}.temperature`, 0, 1e6),
        seed: text(event.seed, `${where}.seed`, 40),
        maxTokens: whole(event.maxTokens, `${where}.maxTokens`, 0, 2 ** 31),
        promptTokens: whole(event.promptTokens, `${where}.promptTokens`, 0, 2 ** 31),
      };
    } else if (event.type === 'round') {
      this.#round(event, where);
    } else if (event.type === 'end') {
      this.end = { type: 'end', reason: text(event.reason, `${where}.reason`, 40), rest: text(event.rest, `${where}.rest`) };
    } else {
      need(false, `${where}.type`, 'start, round or end');
    }
  }

  #round(event, where) {
    const last = this.rounds.length ? this.rounds.at(-1).at : 0;
    const at = number(event.at, `${where}.at`, last, 1e12);
    const ms = number(event.ms, `${where}.ms`, 0, 1e12);
    const tokens = list(event.tokens, `${where}.tokens`, MAX_TOKENS - this.tokens).map((each, i) => token(each, `${where}.tokens[${i}]`));
    const tree = list(event.tree, `${where}.tree`, MAX_NODES - this.nodes).map((each, i) => node(each, `${where}.tree[${i}]`, i));
    need(tokens.length > 0, `${where}.tokens`, 'at least one token');
    const depths = [];
    for (const each of tree) depths.push(each.parent < 0 ? 0 : depths[each.parent] + 1);
    const depth = depths.reduce((most, each) => Math.max(most, each), 0);
    const guesses = tokens.filter(each => each.origin === 'accepted').length;
    this.tokens += tokens.length;
    this.nodes += tree.length;
    this.rounds.push({ at, ms, tokens, tree, depth, guesses });
  }

  /** How many rounds were over at that time. */
  roundsAt(ms) {
    let low = 0;
    for (let high = this.rounds.length; low < high;) {
      const middle = (low + high) >> 1;
      if (this.rounds[middle].at <= ms) low = middle + 1; else high = middle;
    }
    return low;
  }

  /** What the first rounds amount to. Tokens a second count from the end of the first round. */
  numbers(count) {
    const sum = { rounds: count, tokens: 0, drafted: 0, guesses: 0, reached: [], accepted: [] };
    for (let i = 0; i < count; i++) {
      const round = this.rounds[i];
      sum.tokens += round.tokens.length;
      sum.drafted += Math.max(0, round.tree.length - 1);
      sum.guesses += round.guesses;
      for (let depth = 0; depth < round.depth; depth++) {
        sum.reached[depth] = (sum.reached[depth] ?? 0) + 1;
        sum.accepted[depth] = (sum.accepted[depth] ?? 0) + (round.guesses > depth ? 1 : 0);
      }
    }
    const seconds = count > 1 ? (this.rounds[count - 1].at - this.rounds[0].at) / 1000 : 0;
    sum.speed = seconds > 0 ? (sum.tokens - this.rounds[0].tokens.length) / seconds : null;
    sum.first = count ? this.rounds[0].at : null;
    return sum;
  }

  toJSON() {
    const rounds = this.rounds.map(({ at, ms, tokens, tree }) => ({ type: 'round', at, ms, tokens, tree }));
    return { events: [this.start, ...rounds, this.end].filter(Boolean) };
  }
}

/** The text of a file. */
export function write(prompt, runs) {
  return JSON.stringify({ format: FORMAT, version: 1, prompt, runs: runs.filter(run => run.start) });
}

/** Reads the text of a file. @throws Error that says what is wrong with it */
export function read(json) {
  let file;
  try {
    file = JSON.parse(json);
  } catch (e) {
    throw new Error(`the file is not JSON: ${e.message}`);
  }
  object(file, 'the file');
  need(file.format === FORMAT && file.version === 1, 'format', `${FORMAT}, version 1`);
  const runs = list(file.runs, 'runs', MAX_RUNS).map((each, r) => {
    const run = new Run();
    list(object(each, `runs[${r}]`).events, `runs[${r}].events`, MAX_TOKENS + 2)
      .forEach((event, i) => run.add(event, `runs[${r}].events[${i}]`));
    need(run.start, `runs[${r}].events`, 'a start');
    return run;
  });
  need(runs.length > 0, 'runs', 'at least one run');
  return { prompt: text(file.prompt, 'prompt', MAX_PROMPT), runs };
}
