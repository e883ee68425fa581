// @ts-check
'use strict';

/** pi's stored messages: calls are parts, results are separate messages, paired by id as in chat. */

const { isList } = require('../../lists.js');
const { copyOf, isSpreadable } = require('../copy.js');
const { sameCalls } = require('../part-list.js');
const { roleNames } = require('../parts.js');

const ROLES = roleNames({ user: 'user', assistant: 'assistant', toolResult: 'tool' });

/** Roles that only pi has. When it builds a request, it reads further fields of these messages, so none may be missing. */
const PI_ROLES = new Set(['toolResult', 'bashExecution', 'compactionSummary', 'branchSummary', 'custom']);

/** @type {import('../choice.js').Dialect} */ const pi = {
  fields: null,
  canRead: ({ role, content }) => PI_ROLES.has(role) || isList(content),

  read({ role, content, toolCallId: id, isError, command, output, excludeFromContext, summary }, parts) {
    parts.setRole(ROLES.get(role) ?? 'other');
    if (role === 'toolResult') return parts.result({ id, source: content, at: -1, failed: isError === true });
    if (role === 'bashExecution') {
      if (excludeFromContext === true) return;
      parts.part(command);
      return parts.content(output, 'output', true);
    }
    if (!isList(content)) return parts.content(summary ?? content, summary === undefined ? 'content' : 'summary');
    parts.each('content', content, (part, at) => {
      if (part?.type !== 'toolCall') return parts.part(part, at);
      parts.call({ id: part.id, name: part.name, arguments: part.arguments, at });
    });
  },

  isUnchanged(table, index, message) {
    const { role, content, timestamp } = message;
    if (!table.isAt(index, message, role, isList(content) ? content.length : -1)) return false;
    const row = table.rowAt(index);
    if (role === 'assistant') return sameCalls(row, content, isStillCall);
    if (role !== 'toolResult') return true;
    if (!row.isTimed(message, timestamp)) return false;
    return row.isStillResult(message.toolCallId, content, message.isError === true, -1);
  },

  replace(message, texts) {
    const content = [{ type: 'text', text: texts.get(-1) }];
    return isSpreadable(message) ? { ...message, content } : copyOf(message, { content });
  },

  addResults(outcome, index, calls, text) {
    const results = calls.map(({ id: toolCallId, name: toolName }) => {
      return { role: 'toolResult', toolCallId, toolName, content: [{ type: 'text', text }], isError: true };
    });
    outcome.insert(index, results, (each) => each?.role === 'toolResult');
  },

  makeText: (text, _, now) => ({ role: 'user', content: [{ type: 'text', text }], timestamp: now }),
};

/** @type {import('../part-list.js').IsStill} */
function isStillCall(row, nth, part, at) {
  return part?.type === 'toolCall' ? row.isStillCall(nth, part.id, part.name, part.arguments, at) : undefined;
}

module.exports = pi;
