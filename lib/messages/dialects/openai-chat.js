// @ts-check
'use strict';

/** OpenAI's chat messages, and the same in camelCase: a message is its own row, so only what changes it is here. */

const { callsOf } = require('../chat.js');
const { copyOf } = require('../copy.js');

/** @type {Pick<import('../dialect.js').Dialect, 'replace' | 'without' | 'answer'>} */
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
};

module.exports = chat;
