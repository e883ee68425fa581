// @ts-check
'use strict';

const { readContents, readContent } = require('../messages/message-content.js');
const { recordIdsIn } = require('../compression/record.js');
const { safely } = require('../plain-data.js');
const { originalOf } = require('./levels.js');

/** Reads what a history displays of its messages. */

/**
 * @typedef {'system' | 'user' | 'assistant' | 'tool' | 'other'} Role
 * @typedef {{
 *   role: Role, text: string, calls: { name: string, input: string }[], answers: string[], isFailed: boolean, isRepeated: boolean,
 *   isShortened: boolean, hasThinking: boolean,
 * }} Contents `answers`: names of tools whose results it has; `isShortened`: the model gets a shorter text
 */

/** Reads a whole level, because results name only the ids of their calls. Never throws. @param {readonly any[]} messages @returns {Contents[]} */
function contentsOf(messages) {
  const ids = recordIdsIn(messages);
  // `Array.from`, because an array may have holes, or override `map`.
  const originals = Array.from({ length: messages.length }, (_, index) => originalOf(messages[index], ids));
  const contents = readContents(originals.map(({ message }) => message));
  /** @type {Map<string, string>} */ const names = new Map();
  return contents.map(({ role, texts, calls, answers, isFailed, hasThinking }, index) => {
    for (const [id, name] of calls) names.set(id, name);
    const { isRepeated = false, isChanged = false } = originals[index] ?? {};
    const text = texts.join('\n');
    return {
      role: role === 'user' && answers.length > 0 ? 'tool' : role,
      text,
      calls: calls.map(([, name, input]) => ({ name, input })),
      answers: [...new Set(answers.map((id) => names.get(id) ?? ''))].filter((name) => name !== ''),
      isFailed,
      isRepeated,
      isShortened: isChanged && readContent(messages[index]).texts.join('\n') !== text,
      hasThinking,
    };
  });
}

/** The texts that a search reads, in the order in which they are shown. @param {Contents} contents */
function searchable({ text, calls }) {
  return [text, ...calls.flatMap(({ name, input }) => [name, readable(input)])];
}

/** All texts as one. @param {Contents} contents */
function allText(contents) {
  return searchable(contents).filter(Boolean).join('\n');
}

/** Splits long JSON into lines. @param {string} input @returns {string} */
function readable(input) {
  return input.length < 80 ? input : (safely(() => JSON.stringify(JSON.parse(input), null, 2)) ?? input);
}

module.exports = { allText, contentsOf, readable, searchable };
