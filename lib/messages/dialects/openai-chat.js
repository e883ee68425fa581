// @ts-check
'use strict';

/**
 * OpenAI's chat messages, also in camelCase. Rules see such a message itself; a result with a list of parts gets a row, because rules need a text.
 */

const { argumentsOf, callIdOf, calleeOf, callsOf, legacyCallOf, nameOf, otherIdOf, resultIdOf } = require('../chat.js');
const { copyOfList, isList } = require('../../lists.js');
const { textWithBreakpoint, isMarkedFailed } = require('../tool-result.js');
const { copyOf } = require('../copy.js');
const { hasThinkingFields, roleNames } = require('../parts.js');

/** `function`: a result in OpenAI's old form without call ids, which belongs to the one call before it. */
const ROLES = roleNames({
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'tool',
  function: 'tool',
});

/** @type {import('../choice.js').Dialect} */ const chat = {
  fields: null,
  canRead: ({ role, content }) => role === 'tool' && isList(content),

  read(message, parts) {
    const { role, content, refusal } = message;
    const speaker = ROLES.get(role) ?? 'other';
    parts.setRole(speaker);
    if (speaker !== 'tool') parts.content(content);
    else parts.result({ id: resultIdOf(message), source: content, at: -1, failed: isMarkedFailed(message) });
    parts.part(refusal);
    for (const call of callsOf(message) ?? []) readCall(call, parts);
    readCall(legacyCallOf(message), parts);
    if (hasThinkingFields(message)) parts.hasThinking = true;
  },

  isUnchanged(table, index, message) {
    const { role, content, timestamp } = message;
    if (!isList(content) || !table.isAt(index, message, role, content.length)) return false;
    const row = table.rowAt(index);
    if (!row.isTimed(message, timestamp)) return false;
    return row.isStillResult(resultIdOf(message), content, isMarkedFailed(message), -1);
  },

  replace: (message, texts) =>
    copyOf(message, { content: textWithBreakpoint(message.content, /** @type {string} */ (texts.get(-1))) }),

  withoutCalls(message, calls) {
    const declared = /** @type {readonly any[]} */ (callsOf(message));
    const removed = new Set(calls.map(({ at }) => at));
    const field = declared === message.tool_calls ? 'tool_calls' : 'toolCalls';
    return copyOf(message, { [field]: copyOfList(declared).filter((_, at) => !removed.has(at)) });
  },

  addResults(outcome, index, calls, text) {
    const message = outcome.messages[index];
    const idField = callsOf(message) === message.tool_calls ? 'tool_call_id' : 'toolCallId';
    const results = calls.map((call) => ({ role: 'tool', [idField]: call.id, content: text }));
    outcome.insert(index, results, (each) => each?.role === 'tool');
  },
};

/** @param {any} call @param {import('../choice.js').Parts} parts */
function readCall(call, parts) {
  if (call === null || typeof call !== 'object') return;
  const callee = calleeOf(call);
  const [id, alias] = [callIdOf(call), otherIdOf(call)];
  parts.call({ id, alias, name: nameOf(callee), arguments: argumentsOf(callee), at: -1 });
}

module.exports = chat;
