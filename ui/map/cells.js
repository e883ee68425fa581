// @ts-check
/**
 * What the map says of cells: their classes, which are the legend's entries, and sentences about a request and a cell.
 * Results have a class by tool, other cells by kind. A slot is the name of a colour and texture.
 * @import { Cell, SessionPicture, ThreadPicture } from '../picture.js'
 * @import { RequestCells, Shows, StateSum } from '../picture/request-cells.js'
 * @import { Words } from '../picture/words.js'
 * @typedef {{ slot: string, kind: string, tool: string | null }} CellClass
 * @typedef {{ cell: Cell, state: number, isCached: boolean }} SentCell `state`: a constant of `request-cells.js`
 */
import { legible } from '../base/safe-text.js';
import { slotOfKind } from '../picture/palette.js';
import { CLEARED, FIXED, PENDING, REPLACED, tokensSent, WITH_REFERENCES } from '../picture/request-cells.js';
import { kindName } from '../picture/words.js';

/** Maximum number of tools with their own colour: more hues would be hard to distinguish. */ const MAX_COLOURED_TOOLS = 6;

/** Classes and labels of a thread's cells, computed once instead of at each step of the slider. */
export class ThreadCells {
  /** In the legend's order; the same for all threads of a picture. @type {CellClass[]} */ classes;
  /** By cell: index of its class. @type {number[]} */ #classIndexes;
  #fixedClassIndex;
  /** By cell, once asked for. @type {string[]} */ #labels = [];

  /** @param {SessionPicture} picture @param {ThreadPicture} thread @param {Words} words */
  constructor(picture, thread, words) {
    this.thread = thread;
    this.words = words;
    const toolSlots = new Map(heaviestTools(picture).map((tool, rank) => [tool, `tool-${rank + 1}`]));
    const kinds = [...new Set([...picture.kinds, 'fixed'])].filter((kind) => kind !== 'result');
    this.classes = [
      ...kinds.map((kind) => ({ slot: slotOfKind(kind), kind, tool: null })),
      ...[...toolSlots].map(([tool, slot]) => ({ slot, kind: 'result', tool: picture.tools[tool] ?? null })),
      { slot: 'tool-other', kind: 'result', tool: null },
    ];
    const classIndex = (/** @type {string} */ kind, /** @type {number | null} */ tool) => {
      const slot = kind === 'result' ? (toolSlots.get(tool ?? -1) ?? 'tool-other') : slotOfKind(kind);
      // Kinds without a colour share the slot `other`.
      return this.classes.findIndex((one) => one.slot === slot && (slot !== 'other' || one.kind === kind));
    };
    this.#classIndexes = thread.cells.map(({ kind, tool }) => classIndex(picture.kinds[kind] ?? '', tool));
    this.#fixedClassIndex = classIndex('fixed', null);
  }

  /** Index of a cell's class. @param {number} cell index in the thread's cells, or `FIXED` */
  classIndexOf(cell) {
    return this.#classIndexes[cell] ?? this.#fixedClassIndex;
  }

  /** @param {number} cell index in the thread's cells, or `FIXED` */
  slotOf(cell) {
    return this.classes[this.classIndexOf(cell)]?.slot ?? 'other';
  }

  /** @param {number} cell index in the thread's cells, or `FIXED` */
  labelOf(cell) {
    if (cell === FIXED) return this.words.kinds.fixed;
    this.#labels[cell] ??= legible(this.thread.cells[cell]?.label ?? '');
    return this.#labels[cell] ?? '';
  }

  /** Tokens of a request's cells by class index. @param {RequestCells} requestCells */
  tokensByClass({ indexes, starts }) {
    const tokens = new Float64Array(this.classes.length);
    indexes.forEach((cell, place) => {
      const index = this.classIndexOf(cell);
      tokens[index] = (tokens[index] ?? 0) + (starts[place + 1] ?? 0) - (starts[place] ?? 0);
    });
    return tokens;
  }
}

/** Indexes of the tools with the most result tokens. @param {SessionPicture} picture */
function heaviestTools({ kinds, tools, threads }) {
  const resultKind = kinds.indexOf('result');
  const sums = tools.map((_, tool) => ({ tool, tokens: 0 }));
  for (const { kind, tool, tokens } of threads.flatMap(({ cells }) => cells)) {
    const sum = kind === resultKind && tool !== null ? sums[tool] : undefined;
    if (sum !== undefined) sum.tokens += tokens;
  }
  const heaviest = sums.filter(({ tokens }) => tokens > 0).sort((a, b) => b.tokens - a.tokens);
  return heaviest.slice(0, MAX_COLOURED_TOOLS).map(({ tool }) => tool);
}

/**
 * The sentences above the map. @param {Words} words @param {RequestCells} requestCells
 * @param {number | null} contextWindow tokens @param {Shows} shows
 */
export function requestSummary(words, { total, cachedTokens, sums }, contextWindow, shows) {
  if (total.count === 0) return words.nothingSent;
  const sent = words.number(total.sent);
  let size = words.inAll(sent, words.number(total.count));
  if (contextWindow !== null)
    size = words.inWindow(sent, words.shortNumber(contextWindow), words.share(total.sent / contextWindow));
  const sentences = [size];
  if (cachedTokens > 0) {
    const share = words.share(cachedTokens / total.sent);
    sentences.push(shows === 'view' ? words.cachedSum(share) : words.readSum(share));
  }
  for (const [state, sentence] of /** @type {const} */ ([
    [CLEARED, words.clearedSum],
    [REPLACED, words.replacedSum],
    [WITH_REFERENCES, words.withReferencesSum],
    [PENDING, words.pendingSum],
  ])) {
    const { count, stored, sent } = /** @type {StateSum} */ (sums[state]);
    const tokens = state === PENDING ? stored : stored - sent;
    if (count > 0) sentences.push(sentence(words.number(count), words.shortNumber(tokens)));
  }
  return sentences.join(words.sentences);
}

/** The name of a cell. @param {Words} words @param {SessionPicture} picture @param {SentCell} sentCell */
export function cellName(words, picture, { cell, state, isCached }) {
  const kind = picture.kinds[cell.kind] ?? '';
  const tool = cell.tool === null ? null : legible(picture.tools[cell.tool] ?? '');
  const label = legible(cell.label);
  // A call's label already starts with its tool.
  const name = tool !== null && kind === 'result' ? words.resultOf(tool) : kindName(words.cellKinds, kind);
  const message = words.messageNumber(words.number(cell.message + 1));
  const cached = isCached ? words.isCached : null;
  const parts = [label === '' ? words.noLabel : label, name, message, ...stateTexts(words, cell, state), cached];
  return parts.filter((part) => part !== null).join(words.join);
}

/** How a cell is sent, and since when. @param {Words} words @param {Cell} cell @param {number} state */
function stateTexts(words, cell, state) {
  const rule = cell.rule === null ? null : words.byRule(legible(cell.rule));
  const since = (/** @type {number | null | undefined} */ request) =>
    words.fromRequest(words.number((request ?? 0) + 1));
  const [sent, stored] = [words.number(tokensSent(cell, state)), words.number(cell.tokens)];
  if (state === REPLACED) return [words.stateReplaced(sent, stored), rule];
  if (state === WITH_REFERENCES) return [words.stateWithReferences(sent, stored)];
  if (state === CLEARED) return [words.stateCleared(sent, stored), since(cell.clearedFrom)];
  if (state === PENDING) return [words.tokens(stored), words.pending, since(cell.staleFrom), rule];
  return [words.tokens(stored)];
}
