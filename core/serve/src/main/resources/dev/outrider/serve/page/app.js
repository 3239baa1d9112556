// The page: runs, and replays what ran or was saved.

import { Lane } from './lane.js';
import { Refusal, rounds, variants } from './source.js';
import { MAX_BYTES, Run, read, write } from './trace.js';
import { words } from './tree.js';

const $ = id => document.getElementById(id);
const MAX_SHOWN = 20_000;
const PLAIN = 'Plain decoding';
const calm = matchMedia('(prefers-reduced-motion: reduce)');
const state = { lanes: [], running: null, times: [], index: 0, clock: null, served: null, asked: 0, prompt: '', saved: null };

function say(text) {
  $('status').textContent = text;
}

function complain(error) {
  if (error instanceof Refusal && error.status === 401) {
    $('key-field').hidden = false;
    $('error').textContent = `The server wants its API key: ${error.message}.`;
    $('key').focus();
  } else {
    $('error').textContent = error ? `Failed: ${error.message}` : '';
  }
}

// ---- what can be chosen

async function choices() {
  const asked = ++state.asked;
  try {
    const served = await variants($('key').value);
    if (asked !== state.asked) return; // another key was given meanwhile
    state.served = served;
  } catch (e) {
    if (asked !== state.asked) return;
    complain(e);
    say('Nothing can be run now. A trace can be opened below.');
    return;
  }
  complain(null);
  const { variants: all, rules, chat, maxTokens } = state.served;
  const drafting = all.filter(each => each.drafts);
  $('variant').replaceChildren(...(drafting.length ? drafting : all).map(each => new Option(each.name, each.model)));
  $('rule').replaceChildren(new Option('of the variant', ''), ...rules.map(each => new Option(each, each)));
  $('chat-field').hidden = !chat;
  $('maxTokens').value = maxTokens;
  temperature();
  say('');
}

function temperature() {
  const chosen = state.served?.variants.find(each => each.model === $('variant').value);
  if (chosen) $('temperature').value = chosen.temperature;
}

// ---- a run

function request(model) {
  const chat = $('chat').checked && !$('chat-field').hidden;
  const body = {
    model,
    temperature: $('temperature').valueAsNumber,
    max_tokens: $('maxTokens').valueAsNumber,
    seed: state.seed,
  };
  if (chat) body.messages = [{ role: 'user', content: state.prompt }];
  else body.prompt = state.prompt;
  if ($('rule').value) body.rule = $('rule').value;
  if ($('draftLength').value) body.draft_length = $('draftLength').valueAsNumber;
  return body;
}

/** Runs a lane, and says whether it came to its end. */
async function follow(lane, model, signal) {
  try {
    await rounds(request(model), $('key').value, signal, event => lane.run.add(event));
    return true;
  } catch (e) {
    if (signal.aborted) {
      lane.fail('Stopped.');
    } else {
      lane.fail(`Failed: ${e.message}`);
      complain(e);
    }
    return false;
  }
}

async function run(submitted) {
  submitted.preventDefault();
  if (state.running) return;
  if (!state.served) await choices();
  if (!state.served || state.running) return;
  pause();
  complain(null);
  state.prompt = $('prompt').value;
  state.seed = $('seed').value ? $('seed').valueAsNumber : crypto.getRandomValues(new Uint32Array(1))[0];
  const plain = state.served.variants.find(each => !each.drafts)?.model;
  const chosen = $('variant').value;
  const race = chosen === plain || !plain ? 'none' : $('race').value;
  const rule = $('rule').value && `, rule ${$('rule').value}`;
  const first = new Lane(new Run(), $('variant').selectedOptions[0].text + rule);
  const second = race === 'none' ? [] : [new Lane(new Run(), PLAIN)];
  lanes([first, ...second]);
  const control = new AbortController();
  state.running = control;
  buttons();
  say(`Running ${state.lanes.map(each => each.name).join(' and ')}.`);
  const frame = () => {
    if (state.running !== control) return;
    live();
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  const work = [follow(first, chosen, control.signal)];
  if (race === 'apart') await work[0];
  if (race !== 'none' && !control.signal.aborted) work.push(follow(second[0], plain, control.signal));
  const whole = (await Promise.all(work)).every(Boolean);
  state.running = null;
  finished(control.signal.aborted ? 'Stopped. ' : whole ? 'Done. ' : 'Not done. ');
  $('stop').blur();
}

let lastTree = 0;

function live() {
  const now = performance.now();
  const withTree = now - lastTree > (calm.matches ? 1500 : 250);
  if (withTree) lastTree = now;
  state.lanes.forEach(each => each.show(each.run.rounds.length, withTree));
}

function stop() {
  state.running?.abort();
}

function lanes(list) {
  state.lanes = list;
  $('lanes').replaceChildren(...list.map(each => each.root));
  $('lanes').className = list.length > 1 ? 'two' : '';
}

/** A run or a file is there as a whole: it can be replayed and saved. */
function finished(how) {
  const [first, ...others] = state.lanes.map(each => each.run);
  const last = first.rounds.at(-1)?.at ?? -1;
  const after = others.flatMap(each => each.rounds.map(round => round.at)).filter(at => at > last);
  state.times = [...first.rounds.map(round => round.at), ...after];
  go(state.times.length);
  say(`${how}${state.lanes.map(each => each.summary()).join('; ')}.`);
  if (state.saved) URL.revokeObjectURL(state.saved);
  state.saved = null;
  if (state.times.length) {
    state.saved = URL.createObjectURL(new Blob([write(state.prompt, state.lanes.map(each => each.run))], { type: 'application/json' }));
    $('save').href = state.saved;
  }
  buttons();
}

// ---- replay

function buttons() {
  const busy = state.running !== null;
  const nothing = busy || state.times.length === 0;
  $('start').disabled = busy;
  $('stop').disabled = !busy;
  $('file').disabled = busy;
  for (const id of ['first', 'back', 'play', 'next', 'last', 'position']) $(id).disabled = nothing;
  $('save').hidden = busy || !state.saved;
  $('play').textContent = state.clock ? 'Pause' : 'Play';
}

/** Shows what was there after so many rounds. */
function go(index, ms) {
  state.index = Math.max(0, Math.min(index, state.times.length));
  const whole = state.index === state.times.length;
  const time = whole ? Infinity : ms ?? (state.index ? state.times[state.index - 1] : -1);
  const now = performance.now();
  const withTree = !state.clock || now - lastTree > (calm.matches ? 1500 : 100);
  if (withTree) lastTree = now;
  state.lanes.forEach(each => each.show(each.run.roundsAt(time), withTree));
  $('position').max = state.times.length;
  $('position').value = state.index;
  $('position-text').textContent = `${state.index} of ${state.times.length}`;
  $('position').setAttribute('aria-valuetext', `step ${state.index} of ${state.times.length}`);
}

function step(index) {
  if ($('position').disabled) return;
  pause();
  go(index);
  const { rounds: own } = state.lanes[0].run;
  const round = own[state.index - 1];
  if (round) say(`Round ${state.index}: ${words(round)}.`);
  else say(state.index ? `${state.lanes[0].name} is at its end; the other goes on.` : 'At the start.');
}

function pause() {
  state.clock = null;
  buttons();
}

function speed() {
  const exponent = Number($('speed').value);
  return { factor: 2 ** exponent, name: exponent < 0 ? `1/${2 ** -exponent} ×` : `${2 ** exponent} ×` };
}

function play() {
  if ($('position').disabled) return;
  if (state.clock) {
    pause();
    return;
  }
  if (state.index === state.times.length) go(0);
  const clock = { ms: state.index ? state.times[state.index - 1] : 0, last: performance.now() };
  state.clock = clock;
  buttons();
  say('Replaying.');
  const frame = now => {
    if (state.clock !== clock) return;
    clock.ms += Math.max(0, now - clock.last) * speed().factor;
    clock.last = now;
    let index = state.index;
    while (index < state.times.length && state.times[index] <= clock.ms) index++;
    if (index === state.times.length) state.clock = null;
    go(index, clock.ms);
    if (state.clock) requestAnimationFrame(frame);
    else {
      buttons();
      say('The replay is at its end.');
    }
  };
  requestAnimationFrame(frame);
}

async function open() {
  const file = $('file').files[0];
  if (!file) return;
  pause();
  complain(null);
  try {
    if (file.size > MAX_BYTES) throw new Error(`the file has ${file.size} bytes, expected at most ${MAX_BYTES}`);
    const trace = read(await file.text());
    if (state.running) return;
    state.prompt = trace.prompt;
    if (trace.prompt.length <= MAX_SHOWN) $('prompt').value = trace.prompt;
    lanes(trace.runs.map(each => new Lane(each, each.start.variant === 'plain' ? PLAIN : each.start.variant)));
    finished('A trace was opened. ');
  } catch (e) {
    complain(e);
  }
  $('file').value = '';
}

function key(event) {
  const busy = event.target.closest('input, textarea, select, .text, .canvas');
  if (busy || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === ' ' && event.target.closest('button, a')) return;
  const act = {
    ArrowLeft: () => step(state.index - 1), ArrowRight: () => step(state.index + 1),
    Home: () => step(0), End: () => step(state.times.length), ' ': play,
  }[event.key];
  if (act && !$('position').disabled) {
    event.preventDefault();
    act();
  }
}

$('run').addEventListener('submit', run);
$('stop').addEventListener('click', stop);
$('variant').addEventListener('change', temperature);
$('key').addEventListener('change', choices);
$('first').addEventListener('click', () => step(0));
$('back').addEventListener('click', () => step(state.index - 1));
$('play').addEventListener('click', play);
$('next').addEventListener('click', () => step(state.index + 1));
$('last').addEventListener('click', () => step(state.times.length));
$('position').addEventListener('input', () => step(Number($('position').value)));
$('speed').addEventListener('input', () => { $('speed-text').textContent = speed().name; $('speed').setAttribute('aria-valuetext', speed().name); });
$('file').addEventListener('change', open);
document.addEventListener('keydown', key);
choices();
