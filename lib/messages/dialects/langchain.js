// @ts-check
'use strict';

/** LangChain's `BaseMessage` instances. Calls and results are paired by id, as in chat; copies stay instances. */

const { seenIn } = require('../contents.js');
const { copyOf } = require('../copy.js');

/** @type {import('../dialect.js').Dialect} */
const langchain = {
  fields: null,

  reads: (message) => typeOf(message) !== undefined,

  read(message, reader) {
    const type = typeOf(message);
    if (type === 'ai') return reader.model(callsIn(message));
    if (type !== 'tool') {
      reader.interrupt();
      return reader.other();
    }
    const { tool_call_id: id, content: held, status } = message;
    reader.result({ id, held, look: seenIn, failed: status === 'error' });
  },

  replace: (message, texts) => withContent(message, /** @type {string} */ (texts.get(-1))),

  without: () => undefined,

  answer(outcome, index, calls, text) {
    let last = index;
    while (typeOf(outcome.original(last + 1)) === 'tool') last++;
    const known = outcome.find((message) => typeOf(message) === 'tool');
    const answers = calls.map(({ id, name }) => {
      const fields = { content: text, tool_call_id: id, name, status: 'error' };
      // Of an instance's class the package knows nothing but the instances. Without one, LangChain takes the fields.
      return known === undefined ? { role: 'tool', ...fields } : new known.constructor(fields);
    });
    outcome.insert(last, answers);
  },

  count(message, found) {
    const type = typeOf(message);
    found.content(message.content);
    if (typeof message.name === 'string') found.content(message.name);
    if (type === 'ai') for (const { name, arguments: input } of callsIn(message)) found.call({ name, input });
  },
};

/** @param {any} message @returns {unknown} undefined for what is no instance */
function typeOf(message) {
  if (message === null || typeof message !== 'object') return undefined;
  if (typeof message.getType === 'function') return message.getType();
  return typeof message._getType === 'function' ? message._getType() : undefined;
}

/** @param {any} message */
function callsIn({ tool_calls: calls }) {
  if (!Array.isArray(calls)) return [];
  return calls.map((call, at) => {
    return { id: call?.id, name: call?.name, arguments: call?.args, settled: false, at };
  });
}

/** What an instance is written to JSON from is beside its fields. @param {any} message @param {string} content */
function withContent(message, content) {
  const { lc_kwargs: written } = message;
  const isWritten = written !== null && typeof written === 'object' && Object.hasOwn(message, 'lc_kwargs');
  return copyOf(message, { content, ...(isWritten && { lc_kwargs: copyOf(written, { content }) }) });
}

module.exports = langchain;
