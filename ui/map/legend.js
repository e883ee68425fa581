// @ts-check
/**
 * The map's legend: classes of cells with their tokens, and marks. Pressing a class shows its cells alone, for users
 * who can't distinguish two colours.
 * @import { Inks } from '../picture/palette.js'
 * @import { Shows } from '../picture/request-cells.js'
 * @import { Words } from '../picture/words.js'
 * @import { CellClass } from './cells.js'
 * @typedef {(brush: Brush) => void} Fill draws a swatch
 */
import { h } from '../base/dom.js';
import { legible } from '../base/safe-text.js';
import { PENDING, REPLACED, WITH_REFERENCES } from '../picture/request-cells.js';
import { kindName } from '../picture/words.js';
import { Brush, STATE_MARKS } from './paint.js';

/** Size of a swatch, CSS pixels. */ const WIDTH = 18;
const HEIGHT = 14;
const SWATCH = { x: 0, y: 0, width: WIDTH, height: HEIGHT };
/** Colour of the cell on which the legend shows a mark. */ const SAMPLE_SLOT = 'tool-1';

export class Legend {
  #classes = h('ul.legend', { part: 'legend' });
  #marks = h('ul.legend.marks');
  element = h('div', this.#classes, this.#marks);
  /** @type {ReturnType<typeof classEntry>[]} */ #entries = [];

  /** @param {(classIndex: number) => void} pressed called when the user presses a class */
  constructor(pressed) {
    this.pressed = pressed;
  }

  /**
   * @param {Words} words @param {readonly CellClass[]} classes @param {Inks} inks
   * @param {{ limit: string | null, shows: Shows }} options `limit`: size of the model's window, if it is drawn
   */
  build(words, classes, inks, { limit, shows }) {
    const names = classes.map((one) => className(words, one));
    // Reuse the buttons, so that the focus stays.
    if (this.#entries.length !== names.length || names.some((name, index) => this.#entries[index]?.name !== name)) {
      this.#entries = names.map((name, index) => classEntry(name, () => this.pressed(index)));
      this.#classes.replaceChildren(...this.#entries.map(({ item }) => item));
    }
    this.#classes.setAttribute('aria-label', `${words.legend}: ${words.legendHelp}`);
    this.#entries.forEach(({ swatch }, index) => {
      const { slot } = /** @type {CellClass} */ (classes[index]);
      paintSwatch(swatch, inks, (brush) => brush.fillCell(slot, SWATCH, 1));
    });
    const isView = shows === 'view';
    const marks = [
      markItem(isView ? words.cached : words.read, inks, (brush) => brush.fill('ink-cached', 0, HEIGHT - 3, WIDTH, 3)),
      markItem(words.pending, inks, markFill(PENDING, null)),
      markItem(isView ? words.replaced : words.cleared, inks, markFill(REPLACED, SAMPLE_SLOT)),
    ];
    if (isView) marks.push(markItem(words.withReferences, inks, markFill(WITH_REFERENCES, SAMPLE_SLOT)));
    const paintLimit = (/** @type {Brush} */ brush) => brush.fill('ink-limit', WIDTH / 2 - 1.5, 0, 3, HEIGHT);
    if (limit !== null) marks.push(markItem(words.limit(limit), inks, paintLimit));
    this.#marks.replaceChildren(...marks);
  }

  /**
   * Shows the amounts of the selected request; classes without tokens are hidden.
   * @param {Words} words @param {Float64Array} tokensByClass @param {number | null} isolated class that is shown alone
   */
  update(words, tokensByClass, isolated) {
    this.#entries.forEach(({ button, item, amount }, index) => {
      const tokens = tokensByClass[index] ?? 0;
      button.setAttribute('aria-pressed', String(index === isolated));
      item.hidden = tokens === 0;
      amount.textContent = words.shortNumber(tokens);
    });
  }
}

/** @param {string} name @param {() => void} onclick */
function classEntry(name, onclick) {
  const amount = h('span.amount');
  const swatch = h('canvas', { 'aria-hidden': 'true' });
  const button = h('button', { 'aria-pressed': 'false', onclick }, swatch, name, amount);
  return { name, item: h('li', button), button, swatch, amount };
}

/** @param {string} name @param {Inks} inks @param {Fill} fill */
function markItem(name, inks, fill) {
  const swatch = h('canvas', { 'aria-hidden': 'true' });
  paintSwatch(swatch, inks, fill);
  return h('li', h('span.mark', swatch, name));
}

/** @param {HTMLCanvasElement} swatch @param {Inks} inks @param {Fill} fill */
function paintSwatch(swatch, inks, fill) {
  const context = swatch.getContext('2d');
  if (context === null) return;
  const ratio = globalThis.devicePixelRatio || 1;
  swatch.width = Math.round(WIDTH * ratio);
  swatch.height = Math.round(HEIGHT * ratio);
  context.scale(ratio, ratio);
  const brush = new Brush(context, inks, ratio);
  brush.fill('ink-ground', 0, 0, WIDTH, HEIGHT);
  fill(brush);
}

/** The mark of a state. @param {number} state @param {string | null} slot of the cell under it @returns {Fill} */
function markFill(state, slot) {
  return (brush) => {
    if (slot !== null) brush.fillCell(slot, SWATCH, 1);
    STATE_MARKS[state]?.(brush, { ...SWATCH, width: WIDTH + 1 });
  };
}

/** Name of a class. @param {Words} words @param {CellClass} cellClass */
function className(words, { kind, tool, slot }) {
  if (tool !== null) return legible(tool);
  return slot === 'tool-other' ? words.otherTools : kindName(words.kinds, kind);
}
