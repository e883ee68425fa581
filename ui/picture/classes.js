// @ts-check
/**
 * Colour classes of cells: results by tool, other cells by kind. Only the six tools with the most result tokens get a
 * colour, because more hues would be hard to distinguish.
 *
 * @import { Cell, SessionPicture } from '../picture.js'
 * @typedef {{ slot: string, kind: string, tool: string | null }} PictureClass `slot`: name of a colour, and of its custom
 *   property and texture
 */

/** Maximum number of tools with a colour. */
const MAX_COLOURED_TOOLS = 6;

/** Kinds with a colour; all others are drawn as `other`. */
const COLOURED_KINDS = new Set([
  'fixed',
  'system',
  'user',
  'assistant',
  'reasoning',
  'call',
  'result',
  'image',
  'summary',
]);

/** Name of a kind's colour. @param {string} kind */
export function slotOfKind(kind) {
  return COLOURED_KINDS.has(kind) ? kind : 'other';
}

/** A picture's classes. */
export class Classes {
  /** In the legend's order. @type {PictureClass[]} */ list = [];
  /** Indexes in `list` by slot; classes of uncoloured kinds by `other <kind>`. @type {Map<string, number>} */ #indexByKey =
    new Map();
  /** @type {SessionPicture} */ #picture;
  /** Ranks of the coloured tools, by the tool's index in the picture. @type {Map<number, number>} */ #ranks;

  /** @param {SessionPicture} picture */
  constructor(picture) {
    this.#picture = picture;
    this.#ranks = rankTools(picture);
    for (const kind of picture.kinds) {
      if (kind !== 'result') this.#add(slotOfKind(kind), kind, null);
    }
    for (const [tool, rank] of this.#ranks) this.#add(`tool-${rank + 1}`, 'result', picture.tools[tool] ?? null);
    this.#add('tool-other', 'result', null);
  }

  /** @param {string} slot @param {string} kind @param {string | null} tool */
  #add(slot, kind, tool) {
    this.#indexByKey.set(keyOf(slot, kind), this.list.length);
    this.list.push({ slot, kind, tool });
  }

  /**
   * Index of a cell's class in `list`.
   * @param {Cell | null} cell null for the system prompt and tools before all cells
   */
  indexOf(cell) {
    const kind = cell === null ? 'fixed' : /** @type {string} */ (this.#picture.kinds[cell.kind]);
    if (cell !== null && kind === 'result') {
      const rank = cell.tool === null ? undefined : this.#ranks.get(cell.tool);
      return this.#indexOrAdd(rank === undefined ? 'tool-other' : `tool-${rank + 1}`);
    }
    return this.#indexOrAdd(keyOf(slotOfKind(kind), kind));
  }

  /** @param {string} key */
  #indexOrAdd(key) {
    const index = this.#indexByKey.get(key);
    if (index !== undefined) return index;
    this.#add(key, key, null);
    return this.list.length - 1;
  }
}

/** @param {string} slot @param {string} kind */
function keyOf(slot, kind) {
  return slot === 'other' ? `other ${kind}` : slot;
}

/**
 * Ranks of the tools with the most result tokens, by index.
 * @param {SessionPicture} picture @returns {Map<number, number>}
 */
function rankTools(picture) {
  const resultKind = picture.kinds.indexOf('result');
  const tokens = new Float64Array(picture.tools.length);
  for (const thread of picture.threads) {
    for (const cell of thread.cells) {
      if (cell.kind === resultKind && cell.tool !== null) tokens[cell.tool] = (tokens[cell.tool] ?? 0) + cell.tokens;
    }
  }
  const heaviest = [...tokens.keys()].filter((tool) => /** @type {number} */ (tokens[tool]) > 0);
  heaviest.sort((a, b) => /** @type {number} */ (tokens[b]) - /** @type {number} */ (tokens[a]) || a - b);
  return new Map(heaviest.slice(0, MAX_COLOURED_TOOLS).map((tool, rank) => [tool, rank]));
}
