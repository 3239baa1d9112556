// Draws the draft of a round.

const SVG = 'http://www.w3.org/2000/svg';
const MAX_NODES = 200;
const BOX = { width: 92, height: 40, right: 24, below: 8 };
const MARKS = { 0: '␀', 9: '⇥\t', 10: '↵\n', 127: '␡' };

/** A text with its control characters, and characters that change the direction or are not seen, made visible. */
export function visible(text) {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu, char => {
    const code = char.codePointAt(0);
    if (code === 0x200c || code === 0x200d) return char; // join letters and emojis
    if (MARKS[code]) return MARKS[code];
    return code < 32 ? String.fromCodePoint(0x2400 + code) : `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
  });
}

/** A short form for one line. */
export function label(text, most = 10) {
  const chars = Array.from(visible(text.slice(0, 200)).replaceAll(/[\n\t]/g, '').replaceAll(' ', '␣'));
  return chars.length > most ? `${chars.slice(0, most - 1).join('')}…` : chars.join('');
}

function add(parent, name, attributes, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  parent.append(element);
  return element;
}

/** A number of things, in words. */
export function count(number, one, more = `${one}s`) {
  return `${number} ${number === 1 ? one : more}`;
}

/** What a round did, in words. */
export function words(round) {
  const quoted = tokens => tokens.map(each => `“${label(each.text || each.piece || '', 24)}”`).join(' ');
  const own = round.tokens.filter(each => each.origin !== 'accepted');
  const guesses = round.tokens.filter(each => each.origin === 'accepted');
  const drafted = Math.max(0, round.tree.length - 1);
  const parts = [count(drafted, 'guess', 'guesses'), `${guesses.length} accepted`];
  return parts.join(', ') + (guesses.length ? `: ${quoted(guesses)}` : '') + (own.length ? `; then ${own[0].origin} ${quoted(own)}` : '');
}

function won(node) {
  return node.accepted || node.own ? 1 : 0;
}

/** The nodes with their places, the target's own token last. */
function places(round) {
  const nodes = round.tree.slice(0, MAX_NODES).map((each, index) => ({ ...each, index, children: [] }));
  const tip = nodes.findLast(each => each.accepted) ?? nodes[0];
  const own = round.tokens.findLast(each => each.origin !== 'accepted');
  nodes.forEach(each => nodes[each.parent]?.children.push(each));
  if (own && round.tree.length <= MAX_NODES) {
    const last = { text: own.text || own.piece || '', own: own.origin, parent: tip.index, children: [] };
    tip.children.push(last);
    nodes.push(last);
  }
  let leaves = 0;
  const stack = [nodes[0]];
  nodes[0].depth = 0;
  while (stack.length) { // a trace may be as deep as it has nodes: no recursion
    const node = stack.pop();
    const first = nodes[node.parent]?.children[0] === node;
    node.row = node.depth === 0 ? leaves++ : first ? nodes[node.parent].row : leaves++;
    node.children.sort((a, b) => won(b) - won(a)); // the path that won is the first row
    for (const child of node.children.toReversed()) {
      child.depth = node.depth + 1;
      stack.push(child);
    }
  }
  return { nodes, leaves, depth: Math.max(...nodes.map(each => each.depth)) };
}

/** Draws into an element. */
export function draw(canvas, round) {
  const { nodes, leaves, depth } = places(round);
  const x = node => 6 + node.depth * (BOX.width + BOX.right);
  const y = node => 6 + node.row * (BOX.height + BOX.below);
  const width = 12 + (depth + 1) * (BOX.width + BOX.right) - BOX.right;
  const height = 12 + leaves * (BOX.height + BOX.below) - BOX.below;
  const svg = document.createElementNS(SVG, 'svg');
  for (const [key, value] of Object.entries({ width, height, role: 'img', 'aria-label': `Draft of ${round.tree.length - 1} guesses` })) svg.setAttribute(key, value);
  for (const node of nodes.slice(1)) {
    const from = nodes[node.parent];
    const [x1, y1, x2, y2] = [x(from) + BOX.width, y(from) + BOX.height / 2, x(node), y(node) + BOX.height / 2];
    const middle = (x1 + x2) / 2;
    add(svg, 'path', { d: `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`, class: won(node) ? 'won' : '', 'stroke-width': 1 + 3 * (node.q ?? 0.2) });
  }
  for (const node of nodes) {
    const kind = node.own ?? (node.depth === 0 ? 'root' : node.accepted ? 'won' : 'lost');
    const group = add(svg, 'g', { class: kind, transform: `translate(${x(node)} ${y(node)})` });
    add(group, 'rect', { width: BOX.width, height: BOX.height, rx: 5 });
    add(group, 'text', { x: BOX.width / 2, y: 17 }, label(node.text));
    const q = node.q === undefined ? '' : ` q ${node.q.toFixed(2)}`;
    const note = node.own ?? { root: 'last token', won: `✓ accepted${q}`, lost: `✗${q || ' not taken'}` }[kind];
    add(group, 'text', { x: BOX.width / 2, y: 32, class: 'q' }, note);
    add(group, 'title', {}, `${visible(node.text)} ${note}`);
  }
  canvas.replaceChildren(svg);
  return round.tree.length - Math.min(round.tree.length, MAX_NODES);
}
