// @ts-check
/**
 * Labels and classes of cells, computed once per thread instead of at each step of the slider.
 *
 * @import { ThreadPicture } from '../picture.js'
 * @import { Classes } from '../picture/classes.js'
 * @import { Window } from '../picture/window.js'
 * @import { Words } from '../picture/words.js'
 */
import { legible } from '../picture/naming.js';
import { FIXED } from '../picture/window.js';

export class ThreadCells {
  /** @type {number[]} */
  #classes;
  #fixedClass;
  /** @type {(string | undefined)[]} */
  #labels = [];

  /** @param {ThreadPicture} thread @param {Classes} classes @param {Words} words */
  constructor(thread, classes, words) {
    this.thread = thread;
    this.classes = classes;
    this.words = words;
    this.#classes = thread.cells.map((cell) => classes.of(cell));
    this.#fixedClass = classes.of(null);
  }

  /** @param {number} cell an index, or `FIXED` */
  classOf(cell) {
    return cell === FIXED ? this.#fixedClass : (this.#classes[cell] ?? this.#fixedClass);
  }

  /** @param {number} cell */
  slotOf(cell) {
    return this.classes.list[this.classOf(cell)]?.slot ?? 'other';
  }

  /** @param {number} cell */
  labelOf(cell) {
    if (cell === FIXED) return this.words.kinds.fixed;
    this.#labels[cell] ??= legible(this.thread.cells[cell]?.label ?? '');
    return this.#labels[cell] ?? '';
  }

  /** @param {Window} window */
  tokensByClass({ cells, starts }) {
    const tokens = new Float64Array(this.classes.list.length);
    cells.forEach((cell, place) => {
      const one = this.classOf(cell);
      tokens[one] = (tokens[one] ?? 0) + (starts[place + 1] ?? 0) - (starts[place] ?? 0);
    });
    return tokens;
  }
}
