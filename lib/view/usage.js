// @ts-check
'use strict';

const { readObject } = require('../arguments.js');
const { reportsIn } = require('../messages/own-fields.js');
const native = require('../native.js');

/** @type {{ reports: string[], cached: string[][], prompt: string[][] } | undefined} */
let names;

function fieldNames() {
  if (names === undefined) {
    const paths = (/** @type {string[]} */ dotted) => dotted.map((name) => name.split('.'));
    const { fields } = native.reportNames();
    names = { reports: fields, cached: paths(native.cachedFieldNames()), prompt: paths(native.usageFieldNames()) };
  }
  return names;
}

/**
 * The figures of a provider's report that say how long a prompt was, and what of it came from the cache.
 * @param {unknown} usage
 * @returns {{ prompt: (number | null)[], cached: (number | null)[] } | undefined} nothing where it doesn't even say how long
 *   the prompt was
 * @throws TypeError for what is no object
 */
function reportFigures(usage) {
  readObject('usage', usage, "a provider's usage object");
  const names = fieldNames();
  const prompt = names.prompt.map((path) => figureAt(usage, path));
  if (!prompt.some((figure) => figure !== null && figure > 0)) return undefined;
  return { prompt, cached: names.cached.map((path) => figureAt(usage, path)) };
}

/** @param {any} report @param {readonly string[]} path @returns {number | null} */
function figureAt(report, path) {
  try {
    const figure = path.reduce((value, key) => value?.[key], report);
    return typeof figure === 'number' ? figure : null;
  } catch {
    // A report is a provider's data: a figure that can't be read counts as missing.
    return null;
  }
}

/**
 * The provider's report on the first of the messages from `start` on that has one: hosts keep it on the answer.
 * @param {readonly any[]} messages
 * @param {number} start
 * @returns {object | undefined}
 */
function reportSince(messages, start) {
  for (let index = start; index < messages.length; index++) {
    try {
      const message = messages[index];
      if (message === null || typeof message !== 'object') continue;
      for (const fields of reportsIn(message)) {
        for (const field of fieldNames().reports) {
          const report = fields[field];
          if (report !== null && typeof report === 'object') return report;
        }
      }
    } catch {
      // A message that can't be read has no report.
    }
  }
  return undefined;
}

module.exports = { reportFigures, reportSince };
