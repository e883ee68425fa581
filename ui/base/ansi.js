// @ts-check
/** Shows the colours and styles of terminal output as CSS classes. The escape sequences themselves are never shown. */
import hidden from '../../lib/history/hidden-characters.js';

const { SEQUENCE, plainText } = hidden;

export { plainText };

/** Styles with the codes of “select graphic rendition” that begin and end them. @type {[string, number, number][]} */
const STYLES = [
  ['bold', 1, 22],
  ['dim', 2, 22],
  ['italic', 3, 23],
  ['underline', 4, 24],
  ['inverse', 7, 27],
  ['strike', 9, 29],
];
/** What a code's tens colour. The tens 9 and 10 mean bright colours. @type {{ [tens: number]: 'fg' | 'bg' }} */
const GROUND_BY_TENS = { 3: 'fg', 4: 'bg', 9: 'fg', 10: 'bg' };

/** @typedef {{ text: string, classes: string }} Run text without escape sequences, and its CSS classes */
/** @typedef {{ fg: string, bg: string, styles: Set<string> }} Rendition the CSS classes in effect; empty: no colour */

/** Splits a text where its style changes. @param {string} text @returns {Run[]} */
export function colouredRuns(text) {
  if (!text.includes('\u001b')) return [{ text, classes: '' }];
  /** @type {Run[]} */ const runs = [];
  /** @type {Rendition} */ const rendition = { fg: '', bg: '', styles: new Set() };
  let from = 0;
  const push = (/** @type {number} */ to) => {
    const classes = [rendition.fg, rendition.bg, ...rendition.styles].filter(Boolean).join(' ');
    if (to > from) runs.push({ text: text.slice(from, to), classes });
  };
  for (const match of text.matchAll(SEQUENCE)) {
    push(match.index);
    from = match.index + match[0].length;
    if (match[2] === 'm') applyCodes(rendition, match[1] ?? '');
  }
  push(text.length);
  return runs;
}

/** Converts an offset in {@link plainText} to an offset in `text`. @param {string} text @param {number} plainOffset */
export function offsetInText(text, plainOffset) {
  if (!text.includes('\u001b')) return plainOffset;
  let sequenceUnits = 0;
  for (const { index, 0: sequence } of text.matchAll(SEQUENCE)) {
    if (index - sequenceUnits > plainOffset) break;
    sequenceUnits += sequence.length;
  }
  return plainOffset + sequenceUnits;
}

/** Applies a “select graphic rendition” sequence. @param {Rendition} rendition @param {string} parameters as `1;31` */
function applyCodes(rendition, parameters) {
  const codes = parameters.split(/[;:]/).map(Number);
  for (let index = 0; index < codes.length; index++) {
    const code = /** @type {number} */ (codes[index]);
    const [ground, digit] = [GROUND_BY_TENS[Math.floor(code / 10)], code % 10];
    if (code === 0) Object.assign(rendition, { fg: '', bg: '', styles: new Set() });
    else if (ground === undefined) {
      for (const [style, begin, end] of STYLES) {
        if (code === begin) rendition.styles.add(`ansi-${style}`);
        else if (code === end) rendition.styles.delete(`ansi-${style}`);
      }
    } else if (digit < 8) rendition[ground] = `ansi-${ground}-${digit + (code >= 90 ? 8 : 0)}`;
    else if (code === 39 || code === 49) rendition[ground] = '';
    else if (code === 38 || code === 48) {
      // Only 16 colours have classes: `5` and a palette index, or `2` and red, green, blue, map to the nearest one.
      const [mode, first = 0, green = 0, blue = 0] = codes.slice(index + 1, index + 5);
      if (mode !== 5 && mode !== 2) continue;
      rendition[ground] = `ansi-${ground}-${mode === 5 ? nearestToPalette(first) : nearest(first, green, blue)}`;
      index += mode === 5 ? 2 : 4;
    }
  }
}

/** @param {number} index in the palette of 256 colours: 16 named ones, a cube of 6³, and 24 greys */
function nearestToPalette(index) {
  if (index < 16) return index;
  const grey = (index - 232) * 10 + 8;
  if (index >= 232) return nearest(grey, grey, grey);
  const cube = index - 16;
  const level = (/** @type {number} */ step) => (step === 0 ? 0 : 55 + step * 40);
  return nearest(level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6));
}

/** Greys by brightness, else by strong components. @param {number} red @param {number} green @param {number} blue */
function nearest(red, green, blue) {
  const strongest = Math.max(red, green, blue);
  if (strongest < 50) return 0;
  if (strongest - Math.min(red, green, blue) < 40) return strongest < 170 ? 8 : 15;
  const bit = (/** @type {number} */ value) => (value > strongest / 2 ? 1 : 0);
  return bit(red) + 2 * bit(green) + 4 * bit(blue) + (strongest > 190 ? 8 : 0);
}

/** Colours of text on a light and on a dark page, with a contrast of at least 4.5. Bright colours look the same. */
const COLOURS = [
  ['#3d4450', '#a2abb8'],
  ['#b3261e', '#ff8f85'],
  ['#166b35', '#6fd18f'],
  ['#805300', '#e8c15a'],
  ['#0b57b0', '#7db4ff'],
  ['#8b2fa8', '#dd9df0'],
  ['#0b6b74', '#5fd0da'],
  ['#57606a', '#d5dbe1'],
];

/** @param {string} name without the number @param {(light: string, dark: string) => string} declarations */
const rulesOf = (name, declarations) =>
  COLOURS.map(
    ([light = '', dark = ''], index) => `.${name}-${index}, .${name}-${index + 8} { ${declarations(light, dark)} }`,
  ).join('\n');

/** Rules for the classes of runs. Those of text colours come last: a text's own colour also holds on a background. */
export const ANSI_STYLES = `
.ansi-bold { font-weight: 700; }
.ansi-dim { opacity: .8; }
.ansi-italic { font-style: italic; }
.ansi-underline { text-decoration: underline; }
.ansi-strike { text-decoration: line-through; }
.ansi-inverse { background: var(--_text); color: var(--_background); }
${rulesOf('ansi-bg', (light, dark) => `background: light-dark(color-mix(in srgb, ${light} 18%, #fff), color-mix(in srgb, ${dark} 30%, #000)); color: var(--_text);`)}
${rulesOf('ansi-fg', (light, dark) => `color: light-dark(${light}, ${dark});`)}
`;
