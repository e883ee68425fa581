// @ts-check
/**
 * Labels and classes of a thread's cells, computed once instead of at each step of the slider. A *cell* is a message or one
 * part of it; its *class* is an entry of the legend (`classes.list`) with a colour (`slot`).
 *
 * @import { ThreadPicture } from '../picture.js'
 * @import { Classes } from '../picture/classes.js'
 * @import { Window } from '../picture/window.js'
 * @import { Words } from '../picture/words.js'
 */
import { legible } from '../picture/naming.js';
import { FIXED } from '../picture/window.js';

export class ThreadCells {
  /** By cell: index of its class in `classes.list`. @type {number[]} */
  #classIndexes;
  #fixedClassIndex;
  /** By cell, once asked for. @type {(string | undefined)[]} */
  #labels = [];

  /** @param {ThreadPicture} thread @param {Classes} classes @param {Words} words */
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

  /** Name of the cell's colour. @param {number} cell index in the thread's cells, or `FIXED` */
  slotOf(cell) {
    return this.classes.list[this.classIndexOf(cell)]?.slot ?? 'other';
  }

  /** @param {number} cell index in the thread's cells, or `FIXED` */
  labelOf(cell) {
    if (cell === FIXED) return this.words.kinds.fixed;
    this.#labels[cell] ??= legible(this.thread.cells[cell]?.label ?? '');
    return this.#labels[cell] ?? '';
  }

  /** Tokens of a request's cells by class index. @param {Window} window `starts`: the cells' token offsets, and the end of the last one */
  tokensByClass({ cells, starts }) {
    const tokens = new Float64Array(this.classes.list.length);
    cells.forEach((cell, place) => {
      const index = this.classIndexOf(cell);
      tokens[index] = (tokens[index] ?? 0) + (starts[place + 1] ?? 0) - (starts[place] ?? 0);
    });
    return tokens;
  }
}
