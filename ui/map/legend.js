// @ts-check
/**
 * The map's legend: classes of cells with their tokens, and the marks on cells. Pressing a class shows its cells alone,
 * for users who can't distinguish two colours.
 *
 * @import { Inks } from '../picture/inks.js'
 * @import { Language } from '../base/language.js'
 * @import { PictureClass } from '../picture/classes.js'
 * @import { Shows } from '../picture/window.js'
 * @import { Words } from '../picture/words.js'
 * @typedef {(context: CanvasRenderingContext2D, inks: Inks, ratio: number) => void} Fill draws a swatch; `ratio`: device
 *   pixels per CSS pixel
 * @typedef {{ name: string, item: HTMLElement, button: HTMLButtonElement, swatch: HTMLCanvasElement, amount: HTMLElement, shownTokens: number }} Entry of a class
 */
import { h } from '../base/dom.js';
import { formatTokens } from '../base/format.js';
import { className } from '../picture/naming.js';
import { TINTS } from '../picture/palette.js';

/** Size of a swatch, CSS pixels. */
const WIDTH = 18;
const HEIGHT = 14;

export class Legend {
  #classes = h('ul', { class: 'legend', part: 'legend' });
  #marks = h('ul', { class: 'legend marks' });
  element = h('div', {}, this.#classes, this.#marks);
  /** @type {Entry[]} */
  #entries = [];
  #pressed;

  /** @param {(classIndex: number) => void} pressed */
  constructor(pressed) {
    this.#pressed = pressed;
  }

  /**
   * @param {Words} words @param {readonly PictureClass[]} classes @param {Inks} inks
   * @param {{ limit: string | null, shows: Shows }} options `limit`: size of the model's window, if it is drawn
   */
  build(words, classes, inks, { limit, shows }) {
    const names = classes.map((one) => className(words, one));
    // Reuse the buttons, so that the focus stays.
    if (this.#entries.length !== names.length || names.some((name, index) => this.#entries[index]?.name !== name)) {
      this.#entries = names.map((name, index) => this.#createEntry(name, index));
      this.#classes.replaceChildren(...this.#entries.map(({ item }) => item));
    }
    this.#classes.setAttribute('aria-label', `${words.legend}: ${words.legendHelp}`);
    classes.forEach(({ slot }, index) => {
      const { swatch } = /** @type {Entry} */ (this.#entries[index]);
      paintSwatch(swatch, inks, (context, _, ratio) => fillClass(context, inks, slot, ratio));
    });
    this.#marks.replaceChildren(
      markItem(shows === 'view' ? words.cached : words.read, inks, fillCached),
      markItem(words.pending, inks, fillPending),
      markItem(shows === 'view' ? words.replaced : words.cleared, inks, fillReplaced),
      ...(shows === 'view' ? [markItem(words.short, inks, fillShort)] : []),
      ...(limit === null ? [] : [markItem(words.limit(limit), inks, fillLimit)]),
    );
  }

  /** @param {string} name @param {number} classIndex @returns {Entry} */
  #createEntry(name, classIndex) {
    const amount = h('span', { class: 'amount' });
    const swatch = h('canvas', { 'aria-hidden': 'true' });
    const onclick = () => this.#pressed(classIndex);
    const button = h('button', { type: 'button', 'aria-pressed': 'false', onclick }, swatch, name, amount);
    return { name, item: h('li', { hidden: true }, button), button, swatch, amount, shownTokens: 0 };
  }

  /**
   * Shows the amounts of the selected request; classes without tokens are hidden.
   * @param {Language} language @param {Float64Array} tokens by class @param {number | null} alone class that is shown alone
   */
  update(language, tokens, alone) {
    this.#entries.forEach((entry, index) => {
      const count = tokens[index] ?? 0;
      entry.button.setAttribute('aria-pressed', String(index === alone));
      if (entry.shownTokens === count) return;
      entry.shownTokens = count;
      entry.item.hidden = count === 0;
      entry.amount.textContent = formatTokens(count, language);
    });
  }
}

/** @param {string} name @param {Inks} inks @param {Fill} fill */
function markItem(name, inks, fill) {
  const swatch = h('canvas', { 'aria-hidden': 'true' });
  paintSwatch(swatch, inks, fill);
  return h('li', {}, h('span', { class: 'mark' }, swatch, name));
}

/** @param {HTMLCanvasElement} swatch @param {Inks} inks @param {Fill} fill */
function paintSwatch(swatch, inks, fill) {
  const context = swatch.getContext('2d');
  if (context === null) return;
  const ratio = globalThis.devicePixelRatio || 1;
  swatch.width = Math.round(WIDTH * ratio);
  swatch.height = Math.round(HEIGHT * ratio);
  context.scale(ratio, ratio);
  fillRect(context, inks.colour('ink-ground'), 0, HEIGHT);
  fill(context, inks, ratio);
}

/** Fills the swatch's whole width. @param {CanvasRenderingContext2D} context @param {string | CanvasPattern} style @param {number} y @param {number} height */
function fillRect(context, style, y, height) {
  context.fillStyle = style;
  context.fillRect(0, y, WIDTH, height);
}

/** @param {CanvasRenderingContext2D} context @param {Inks} inks @param {string} slot @param {number} ratio */
function fillClass(context, inks, slot, ratio) {
  fillRect(context, inks.colour(`cell-${slot}`), 0, HEIGHT);
  const texture = inks.pattern(context, TINTS[slot]?.texture ?? 'ring', inks.contrastTo(`cell-${slot}`), ratio);
  if (texture === null) return;
  context.globalAlpha = 0.45;
  fillRect(context, texture, 0, HEIGHT);
}

/** @type {Fill} */
const fillCached = (context, inks) => fillRect(context, inks.colour('ink-cached'), HEIGHT - 3, 3);

/** @type {Fill} */
function fillPending(context, inks) {
  context.strokeStyle = inks.colour('ink-pending');
  context.lineWidth = 2;
  context.strokeRect(1, 1, WIDTH - 2, HEIGHT - 2);
}

/** @type {Fill} */
function fillLimit(context, inks) {
  context.fillStyle = inks.colour('ink-limit');
  context.fillRect(WIDTH / 2 - 1.5, 0, 3, HEIGHT);
}

/** @type {Fill} */
function fillShort(context, inks) {
  fillRect(context, inks.colour('cell-tool-1'), 0, HEIGHT);
  fillRect(context, inks.colour('ink-text'), 0, 3);
}

/** @type {Fill} */
function fillReplaced(context, inks, ratio) {
  fillRect(context, inks.colour('cell-tool-1'), 0, HEIGHT);
  const hatch = inks.pattern(context, 'hatch', inks.colour('ink-surface'), ratio);
  if (hatch !== null) fillRect(context, hatch, 0, HEIGHT);
  fillRect(context, inks.colour('ink-text'), 0, 1.5);
  fillRect(context, inks.colour('ink-text'), HEIGHT - 1.5, 1.5);
}
