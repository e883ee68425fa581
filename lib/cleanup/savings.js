// @ts-check
'use strict';

const { setOwn } = require('../plain-data.js');
const { countO200k } = require('../tokens/weight.js');

/** @typedef {import('./report.js').CountedChange} CountedChange */

/**
 * What changes remove. Tokens are counted only when the application reads the figure: counting is the slowest step and loads the vocabulary.
 * @param {CountedChange[]} changes @param {{ byPath?: ReturnType<typeof countByPath> }} [extraFigures] @returns {import('../../index.js').RuleReport}
 */
function savingsOf(changes, extraFigures) {
  let unitsRemoved = 0;
  for (const { before, after, media } of changes) unitsRemoved += media + unitsOf(before) - unitsOf(after);
  /** @type {number | undefined} */ let tokens;
  const savings = {
    changed: changes.length,
    unitsRemoved,
    get estimatedTokensSaved() {
      tokens ??= changes.reduce((sum, change) => {
        // Each change is counted once, for its rule and for the total.
        change.tokens ??= countAll(change.before) - countAll(change.after);
        return sum + change.tokens;
      }, 0);
      return tokens;
    },
    ...extraFigures,
  };
  // Without this, `console.log` prints “[Getter]”. It isn't enumerable, so comparing and copying ignore it.
  Object.defineProperty(savings, Symbol.for('nodejs.util.inspect.custom'), { value: () => ({ ...savings }) });
  return Object.freeze(savings);
}

/** @param {string[]} texts */
function countAll(texts) {
  return texts.reduce((tokens, text) => tokens + countO200k(text), 0);
}

/** @param {string[]} texts */
function unitsOf(texts) {
  return texts.reduce((units, text) => units + text.length, 0);
}

/** The same for each path, without tokens. @param {CountedChange[]} changes */
function countByPath(changes) {
  /** @type {Map<string, { changed: number, unitsRemoved: number }>} */ const counts = new Map();
  for (const { before, after, media, paths } of changes) {
    const units = media + unitsOf(before) - unitsOf(after);
    for (const path of paths ?? []) {
      const { changed, unitsRemoved } = counts.get(path) ?? { changed: 0, unitsRemoved: 0 };
      counts.set(path, { changed: changed + 1, unitsRemoved: unitsRemoved + units });
    }
  }
  /** @type {Record<string, { changed: number, unitsRemoved: number }>} */ const byPath = {};
  for (const [path, count] of counts) setOwn(byPath, path, Object.freeze(count));
  return Object.freeze(byPath);
}

module.exports = { countByPath, savingsOf };
