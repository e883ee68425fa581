// @ts-check
import sequences from '../../lib/history/escape-sequences.js';

/** Converts terminal escape sequences to classes; the sequences themselves are never shown. */

const { SEQUENCE, plainText } = sequences;

export { plainText };

const FLAGS = new Map([
  [1, 'bold'],
  [2, 'dim'],
  [3, 'italic'],
  [4, 'underline'],
  [7, 'inverse'],
  [9, 'strike'],
]);
/** Codes that reset each style. @type {Map<number, string[]>} */
const ENDS = new Map([
  [22, ['bold', 'dim']],
  [23, ['italic']],
  [24, ['underline']],
  [27, ['inverse']],
  [29, ['strike']],
]);

/** @typedef {{ text: string, classes: string }} Run */

/** @param {string} text @returns {Run[]} parts of its {@link plainText}, in order */
export function colouredRuns(text) {
  if (!text.includes('\u001b')) return [{ text, classes: '' }];
  /** @type {Run[]} */
  const runs = [];
  const style = new Style();
  let from = 0;
  const push = (/** @type {number} */ to) => {
    if (to > from) runs.push({ text: text.slice(from, to), classes: style.classes });
  };
  for (const match of text.matchAll(SEQUENCE)) {
    push(match.index);
    from = match.index + match[0].length;
    if (match[2] === 'm') style.apply(match[1] ?? '');
  }
  push(text.length);
  return runs;
}

/** Converts an offset in {@link plainText} to an offset in `text`. @param {string} text @param {number} plain */
export function placeInText(text, plain) {
  if (!text.includes('\u001b')) return plain;
  let sequences = 0;
  for (const { index, 0: sequence } of text.matchAll(SEQUENCE)) {
    if (index - sequences > plain) break;
    sequences += sequence.length;
  }
  return plain + sequences;
}

class Style {
  /** @type {Set<string>} */
  #flags = new Set();
  #foreground = '';
  #background = '';

  get classes() {
    return [this.#foreground, this.#background, ...this.#flags].filter((name) => name !== '').join(' ');
  }

  /** @param {string} parameters parameters of one “select graphic rendition” sequence */
  apply(parameters) {
    const codes = parameters.split(/[;:]/).map(Number);
    for (let at = 0; at < codes.length; at++) {
      const code = /** @type {number} */ (codes[at]);
      if (code === 38 || code === 48) at += this.#extended(code, codes.slice(at + 1, at + 5));
      else this.#simple(code);
    }
  }

  /** @param {number} code */
  #simple(code) {
    const flag = FLAGS.get(code);
    if (code === 0) this.#reset();
    else if (flag !== undefined) this.#flags.add(`ansi-${flag}`);
    else if (ENDS.has(code)) for (const ended of ENDS.get(code) ?? []) this.#flags.delete(`ansi-${ended}`);
    else if (code >= 30 && code <= 37) this.#foreground = `ansi-fg-${code - 30}`;
    else if (code >= 90 && code <= 97) this.#foreground = `ansi-fg-${code - 82}`;
    else if (code === 39) this.#foreground = '';
    else if (code >= 40 && code <= 47) this.#background = `ansi-bg-${code - 40}`;
    else if (code >= 100 && code <= 107) this.#background = `ansi-bg-${code - 92}`;
    else if (code === 49) this.#background = '';
  }

  /**
   * Only the first 16 of the 256 colours have classes; other colours map to the nearest one.
   * @param {number} code @param {number[]} rest @returns {number} codes it took
   */
  #extended(code, [mode, first = 0, green = 0, blue = 0]) {
    const colour = mode === 5 ? indexed(first) : nearest(first, green, blue);
    if (mode !== 5 && mode !== 2) return 0;
    if (code === 38) this.#foreground = `ansi-fg-${colour}`;
    else this.#background = `ansi-bg-${colour}`;
    return mode === 5 ? 2 : 4;
  }

  #reset() {
    this.#flags.clear();
    this.#foreground = '';
    this.#background = '';
  }
}

/** @param {number} index index of one of the 256 colours */
function indexed(index) {
  if (index < 16) return index;
  if (index >= 232) return nearest((index - 232) * 10 + 8, (index - 232) * 10 + 8, (index - 232) * 10 + 8);
  const cube = index - 16;
  const level = (/** @type {number} */ step) => (step === 0 ? 0 : 55 + step * 40);
  return nearest(level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6));
}

/** @param {number} red @param {number} green @param {number} blue */
function nearest(red, green, blue) {
  const strongest = Math.max(red, green, blue);
  if (strongest < 50) return 0;
  if (strongest - Math.min(red, green, blue) < 40) return strongest < 170 ? 8 : 15;
  const on = (/** @type {number} */ value) => (value > strongest / 2 ? 1 : 0);
  return on(red) + 2 * on(green) + 4 * on(blue) + (strongest > 190 ? 8 : 0);
}

/** The colours have a contrast of at least 4.5 on both backgrounds. */
export const ANSI_STYLES = `
.ansi-bold { font-weight: 700; }
.ansi-dim { opacity: .8; }
.ansi-italic { font-style: italic; }
.ansi-underline { text-decoration: underline; }
.ansi-strike { text-decoration: line-through; }
.ansi-inverse { background: var(--_text); color: var(--_background); }
${[
  ['#3d4450', '#a2abb8'],
  ['#b3261e', '#ff8f85'],
  ['#166b35', '#6fd18f'],
  ['#805300', '#e8c15a'],
  ['#0b57b0', '#7db4ff'],
  ['#8b2fa8', '#dd9df0'],
  ['#0b6b74', '#5fd0da'],
  ['#57606a', '#d5dbe1'],
]
  .map(
    ([light, dark], at) =>
      `.ansi-fg-${at}, .ansi-fg-${at + 8} { color: light-dark(${light}, ${dark}); }
.ansi-bg-${at}, .ansi-bg-${at + 8} { background: light-dark(color-mix(in srgb, ${light} 18%, #fff), color-mix(in srgb, ${dark} 30%, #000)); color: var(--_text); }`,
  )
  .join('\n')}
`;
