// @ts-check
'use strict';

/** OpenAI's chat messages, and the same in camelCase: a message is its own row, so how rows are read isn't here. */

const {
  argumentsOf,
  callIdOf,
  calleeOf,
  callsOf,
  isMarkedFailed,
  legacyCallOf,
  nameOf,
  resultIdOf,
} = require('../chat.js');
const { copyOf } = require('../copy.js');
const { cutContent } = require('../cut-texts.js');
const { hasThinkingFields } = require('../thinking.js');

/** @type {Map<unknown, import('../said.js').Role>} */
const ROLES = new Map([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['tool', 'tool'],
]);

/** @type {Pick<import('../dialect.js').Dialect, 'replace' | 'without' | 'answer' | 'say' | 'cut'> & { keeper?: undefined }} */
const chat = {
  replace: (message, texts) => copyOf(message, { content: texts.get(-1) }),

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
    said.isFailed ||= isMarkedFailed(message) || message.is_error === true;
    said.hasThinking ||= hasThinkingFields(message);
  },

  cut: ({ role, content }, shorter) => ({ content: cutContent(content, role === 'tool', shorter) }),
};

/** @param {any} call @param {import('../dialect.js').Said} said */
function declare(call, said) {
  if (call === null || typeof call !== 'object') return;
  const callee = calleeOf(call);
  said.call(callIdOf(call), nameOf(callee), argumentsOf(callee));
}

module.exports = chat;
