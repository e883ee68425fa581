// @ts-check
/**
 * Colour classes of cells: results by tool, other cells by kind. Only the six tools with the most result tokens get a
 * colour, because more hues would be hard to distinguish.
 *
 * @import { Cell, SessionPicture } from '../picture.js'
 * @typedef {{ slot: string, kind: string, tool: string | null }} PictureClass `slot` names its custom property and texture
 */

const TOOL_SLOTS = 6;

/** All other kinds are drawn as `other`. */
const KIND_SLOTS = new Set(['fixed', 'system', 'user', 'assistant', 'reasoning', 'call', 'result', 'image', 'summary']);

/** @param {string} kind */
export function slotOfKind(kind) {
  return KIND_SLOTS.has(kind) ? kind : 'other';
}

/** The classes in the legend's order. */
export class Classes {
  /** @type {PictureClass[]} */ list = [];
  /** @type {Map<string, number>} */ #places = new Map();
  /** @type {SessionPicture} */ #picture;
  /** @type {Map<number, number>} */ #ranks;

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
    this.#places.set(slot === 'other' ? `other ${kind}` : slot, this.list.length);
    this.list.push({ slot, kind, tool });
  }

  /** Index in `list`. @param {Cell | null} cell null for the system prompt and tools before all cells */
  of(cell) {
    const kind = cell === null ? 'fixed' : /** @type {string} */ (this.#picture.kinds[cell.kind]);
    if (cell !== null && kind === 'result') {
      const rank = cell.tool === null ? undefined : this.#ranks.get(cell.tool);
      return this.#at(rank === undefined ? 'tool-other' : `tool-${rank + 1}`);
    }
    const slot = slotOfKind(kind);
    return this.#at(slot === 'other' ? `other ${kind}` : slot);
  }

  /** @param {string} key */
  #at(key) {
    const place = this.#places.get(key);
    if (place !== undefined) return place;
    this.#add(key, key, null);
    return this.list.length - 1;
  }
}

/** @param {SessionPicture} picture @returns {Map<number, number>} ranks of the largest tools, by index */
function rankTools(picture) {
  const result = picture.kinds.indexOf('result');
  const tokens = new Float64Array(picture.tools.length);
  for (const thread of picture.threads) {
    for (const cell of thread.cells) {
      if (cell.kind === result && cell.tool !== null) tokens[cell.tool] = (tokens[cell.tool] ?? 0) + cell.tokens;
    }
  }
  const heaviest = [...tokens.keys()].filter((tool) => /** @type {number} */ (tokens[tool]) > 0);
  heaviest.sort((a, b) => /** @type {number} */ (tokens[b]) - /** @type {number} */ (tokens[a]) || a - b);
  return new Map(heaviest.slice(0, TOOL_SLOTS).map((tool, rank) => [tool, rank]));
}
