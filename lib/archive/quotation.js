// @ts-check
'use strict';

const { timeOfAny } = require('../messages/time.js');
const native = require('../native.js');

/**
 * @typedef {{ role: string, text: string, message: any }} Quotable
 *
 * A message to quote. `at`: when its batch was stored (ms); `index`: in the batch; `snippet`: the part around a match.
 * @typedef {{ message: Quotable, at: number, index: number, id?: string, session?: string, snippet?: string }} Entry
 *
 * @typedef {object} Setting
 * @property {string} heading
 * @property {import('./lookup-words.js').Words} words
 * @property {InstanceType<typeof import('../tokens/counter.js')['TokenCounter']>} counter
 * @property {number} maxTokens
 */

/**
 * Quotes messages in at most `maxTokens` in total. A message that needs less than its share leaves the rest to the next; a search hit that is too
 * long keeps the part around the match.
 * @param {readonly Entry[]} entries @param {Setting} setting
 */
function quote(entries, { heading, words, counter, maxTokens }) {
  const titles = entries.map((entry, at) => titleOf(entry, at + 1, words));
  let tokensLeft = maxTokens - counter.count([heading, ...titles].join('\n\n')) - entries.length;
  const blocks = entries.map(({ message, snippet }, at) => {
    const share = Math.max(0, Math.floor(tokensLeft / (entries.length - at)));
    const quoted = cut(message.text === '' ? words.noText : message.text, snippet, share, counter);
    tokensLeft -= counter.count(quoted);
    return `${titles[at]}\n${quoted}`;
  });
  return [heading, ...blocks].join('\n\n');
}

/** @param {string} text @param {string | undefined} snippet @param {number} share in tokens @param {Setting['counter']} counter */
function cut(text, snippet, share, counter) {
  if (counter.fits(text, share)) return text;
  return counter.truncate(snippet ?? text, share, { keep: 'both' });
}

/** @param {Entry} entry @param {number} number from 1 @param {Setting['words']} words */
function titleOf({ message, at, index, id, session }, number, words) {
  const parts = [`[${number}] ${message.role || '?'}`, shownTime(message, at)];
  if (session !== undefined) parts.push(`session ${session}`);
  if (id !== undefined) parts.push(`id ${id}`);
  return [...parts, words.place(index)].join(' · ');
}

/** The time of a message, or that of its compression if it has none. @param {Quotable} message @param {number} at */
function shownTime({ message }, at) {
  const own = timeOfAny(message);
  const time = new Date(Number.isFinite(own) ? native.timeInMs(own) : at);
  return Number.isNaN(time.getTime()) ? '?' : time.toISOString();
}

module.exports = { quote };
