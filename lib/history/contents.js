// @ts-check
'use strict';

const { sayAll, sayOf } = require('../messages/said.js');
const { recordIdsIn } = require('../compression/record.js');
const { asSaid } = require('./level.js');

/**
 * The contents of a message that are shown.
 *
 * @typedef {'system' | 'user' | 'assistant' | 'tool' | 'other'} Role
 * @typedef {{
 *   role: Role, text: string, calls: { name: string, input: string }[], answers: string[], isFailed: boolean, isRepeated: boolean,
 *   isShortened: boolean, hasThinking: boolean,
 * }} Contents `answers`: the names of the tools whose results it has; `isShortened`: the model reads less of it
 */

/**
 * Reads all messages of one level, since results name only the ids of their calls. Never throws. O(messages).
 * @param {readonly any[]} messages
 * @returns {Contents[]}
 */
function contentsOf(messages) {
  const ids = recordIdsIn(messages);
  // By place: an array may have holes, or a `map` of its own.
  const kept = Array.from({ length: messages.length }, (_, index) => asSaid(messages[index], ids));
  const said = sayAll(kept.map(({ message }) => message));
  /** @type {Map<string, string>} */
  const names = new Map();
  return said.map(({ role, texts, calls, answers, isFailed, hasThinking }, index) => {
    for (const [id, name] of calls) names.set(id, name);
    const { isRepeated = false, isChanged = false } = kept[index] ?? {};
    const text = texts.join('\n');
    return {
      role: role === 'user' && answers.length > 0 ? 'tool' : role,
      text,
      calls: calls.map(([, name, input]) => ({ name, input })),
      answers: [...new Set(answers.map((id) => names.get(id) ?? ''))].filter((name) => name !== ''),
      isFailed,
      isRepeated,
      isShortened: isChanged && sayOf(messages[index]).texts.join('\n') !== text,
      hasThinking,
    };
  });
}

/** The texts that can be searched, part by part as they are shown. @param {Contents} contents */
function searchable({ text, calls }) {
  return [text, ...calls.flatMap(({ name, input }) => [name, readable(input)])];
}

/** The texts that are copied, one below the other. @param {Contents} contents */
function allText(contents) {
  return searchable(contents)
    .filter((text) => text !== '')
    .join('\n');
}

/** A call's arguments as people read them: JSON on several lines where it is long. @param {string} input */
function readable(input) {
  if (input.length < 80) return input;
  try {
    return JSON.stringify(JSON.parse(input), null, 2);
  } catch {
    return input;
  }
}

module.exports = { allText, contentsOf, readable, searchable };
