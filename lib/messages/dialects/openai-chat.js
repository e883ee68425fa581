// @ts-check
'use strict';

/**
 * OpenAI's chat messages, and the same in camelCase. A message is its own row, but for a result that is a list of parts: what
 * rules look into is a text.
 */

const { argumentsOf, callIdOf, calleeOf, callsOf, legacyCallOf, nameOf, resultIdOf } = require('../chat.js');
const { isList } = require('../../lists.js');
const { seenIn } = require('../contents.js');
const { copyOf } = require('../copy.js');
const { cutContent } = require('../cut-texts.js');
const { isMarkedFailed } = require('../failure-marks.js');
const { hasThinkingFields } = require('../thinking.js');

/** @type {Map<unknown, import('../said.js').Role>} */
const ROLES = new Map([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['tool', 'tool'],
  // Of old: it answers the one call before it, which has no id.
  ['function', 'tool'],
]);

/** @type {Omit<import('../dialect.js').Dialect, 'count'>} */
const chat = {
  fields: null,

  reads: ({ role, content }) => role === 'tool' && isList(content),

  read(message, reader) {
    const { content: held } = message;
    reader.result({ id: resultIdOf(message), held, look: seenIn, failed: isMarkedFailed(message) });
  },

  firstChanged(table, messages, index, end) {
    for (; index < end; index++) {
      const message = messages[index];
      const { role, content, timestamp } = message;
      if (!isList(content) || !table.isAt(index, message, role, content.length)) return index;
      const row = table.rowAt(index);
      if (!row.isTimed(message, timestamp)) return index;
      if (!row.isStillResult(resultIdOf(message), content, isMarkedFailed(message), -1)) return index;
    }
    return end;
  },

  replace: (message, texts) =>
    copyOf(message, { content: replacement(message.content, /** @type {string} */ (texts.get(-1))) }),

  without: () => undefined,

  answer(outcome, index, calls, text) {
    let last = index;
    while (outcome.original(last + 1)?.role === 'tool') last++;
    const message = outcome.original(index);
    const id = callsOf(message) === message.tool_calls ? 'tool_call_id' : 'toolCallId';
    outcome.insert(
      last,
      calls.map((call) => ({ role: 'tool', [id]: call.id, content: text })),
    );
  },

  say(message, said) {
    const { role, content, refusal } = message;
    said.role = ROLES.get(role) ?? 'other';
    if (said.role === 'tool') said.result(resultIdOf(message), content, false);
    else said.content(content);
    said.text(refusal);
    for (const call of callsOf(message) ?? []) declare(call, said);
    declare(legacyCallOf(message), said);
    said.isFailed ||= said.role === 'tool' && isMarkedFailed(message);
    said.hasThinking ||= hasThinkingFields(message);
  },

  cut: ({ role, content }, shorter) => ({ content: cutContent(content, ROLES.get(role) === 'tool', shorter) }),
};

/** A part may carry the mark up to which a provider caches. @param {unknown} content @param {string} text */
function replacement(content, text) {
  const marked = isList(content) ? content.findLast((part) => part?.cache_control) : undefined;
  return marked === undefined ? text : [{ type: 'text', text, cache_control: marked.cache_control }];
}

/** @param {any} call @param {import('../dialect.js').Said} said */
function declare(call, said) {
  if (call === null || typeof call !== 'object') return;
  const callee = calleeOf(call);
  said.call(callIdOf(call), nameOf(callee), argumentsOf(callee));
}

module.exports = chat;
