// @ts-check
/**
 * Classes of cells, the entries of the legend: results by tool, other cells by kind. Six tools have their own colour:
 * more hues would be hard to distinguish. A slot is the name of a colour and texture.
 * @import { Cell, SessionPicture, ThreadPicture } from '../picture.js'
 * @import { RequestCells } from '../picture/request-cells.js'
 * @import { Words } from '../picture/words.js'
 * @typedef {{ slot: string, kind: string, tool: string | null }} CellClass
 */
import { legible } from '../base/safe-text.js';
import { slotOfKind } from '../picture/palette.js';
import { FIXED } from '../picture/request-cells.js';

/** Maximum number of tools with a colour. */
const MAX_COLOURED_TOOLS = 6;

/** The classes of all cells of a picture. */
export class CellClasses {
  /** In the legend's order. @type {CellClass[]} */ list;
  /** Slots of the coloured tools, by the tool's index in the picture. @type {Map<number, string>} */ #toolSlots;
  #kinds;

  /** @param {SessionPicture} picture */
  constructor(picture) {
    this.#kinds = picture.kinds;
    this.#toolSlots = new Map(heaviestTools(picture).map((tool, rank) => [tool, `tool-${rank + 1}`]));
    const kinds = [...new Set([...picture.kinds, 'fixed'])].filter((kind) => kind !== 'result');
    this.list = [
      ...kinds.map((kind) => ({ slot: slotOfKind(kind), kind, tool: null })),
      ...[...this.#toolSlots].map(([tool, slot]) => ({ slot, kind: 'result', tool: picture.tools[tool] ?? null })),
      { slot: 'tool-other', kind: 'result', tool: null },
    ];
  }

  /** Index of a cell's class in `list`. @param {Cell | null} cell null: the system prompt and tools */
  indexOf(cell) {
    const kind = cell === null ? 'fixed' : /** @type {string} */ (this.#kinds[cell.kind]);
    const toolSlot = this.#toolSlots.get(cell?.tool ?? -1) ?? 'tool-other';
    const slot = kind === 'result' ? toolSlot : slotOfKind(kind);
    // Kinds without a colour share the slot `other`.
    return this.list.findIndex((one) => one.slot === slot && (slot !== 'other' || one.kind === kind));
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

/** Labels and classes of a thread's cells, computed once instead of at each step of the slider. */
export class ThreadCells {
  /** By cell: index of its class in `classes.list`. @type {number[]} */ #classIndexes;
  #fixedClassIndex;
  /** By cell, once asked for. @type {(string | undefined)[]} */ #labels = [];

  /** @param {ThreadPicture} thread @param {CellClasses} classes @param {Words} words */
  constructor(thread, classes, words) {
    this.thread = thread;
    this.classes = classes;
    this.words = words;
    this.#classIndexes = thread.cells.map((cell) => classes.indexOf(cell));
    this.#fixedClassIndex = classes.indexOf(null);
  }

  /** Index of the cell's class in `classes.list`. @param {number} cell index in the thread's cells, or `FIXED` */
  classIndexOf(cell) {
    return this.#classIndexes[cell] ?? this.#fixedClassIndex;
  }

  /** @param {number} cell index in the thread's cells, or `FIXED` */
  slotOf(cell) {
    return this.classes.list[this.classIndexOf(cell)]?.slot ?? 'other';
  }

  /** @param {number} cell index in the thread's cells, or `FIXED` */
  labelOf(cell) {
    if (cell === FIXED) return this.words.kinds.fixed;
    this.#labels[cell] ??= legible(this.thread.cells[cell]?.label ?? '');
    return this.#labels[cell] ?? '';
  }

  /** Tokens of a request's cells by class index. @param {RequestCells} requestCells */
  tokensByClass({ indexes, starts }) {
    const tokens = new Float64Array(this.classes.list.length);
    indexes.forEach((cell, place) => {
      const index = this.classIndexOf(cell);
      tokens[index] = (tokens[index] ?? 0) + (starts[place + 1] ?? 0) - (starts[place] ?? 0);
    });
    return tokens;
  }
}
