// @ts-check
'use strict';

const { timeOfAny } = require('../messages/time.js');
const native = require('../native.js');

/** @typedef {{ role: string, text: string, message: any }} Quotable */
/** @typedef {{ message: Quotable, at: number, index: number, id?: string, session?: string, snippet?: string }} Entry */
/**
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
  const titles = entries.map((entry, place) => titleOf(entry, place, words));
  let left = maxTokens - counter.count([heading, ...titles].join('\n\n')) - entries.length;
  const blocks = entries.map(({ message, snippet }, place) => {
    const share = Math.max(0, Math.floor(left / (entries.length - place)));
    const quoted = cut(message.text === '' ? words.noText : message.text, snippet, share, counter);
    left -= counter.count(quoted);
    return `${titles[place]}\n${quoted}`;
  });
  return [heading, ...blocks].join('\n\n');
}

/** @param {string} text @param {string | undefined} snippet @param {number} share in tokens @param {Setting['counter']} counter */
function cut(text, snippet, share, counter) {
  if (counter.fits(text, share)) return text;
  return counter.truncate(snippet ?? text, share, { keep: 'both' });
}

/** @param {Entry} entry @param {number} place @param {Setting['words']} words */
function titleOf({ message, at, index, id, session }, place, words) {
  const parts = [`[${place + 1}] ${message.role || '?'}`, shownTime(message, at)];
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
