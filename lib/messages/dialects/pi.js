// @ts-check
'use strict';

/** The messages that pi keeps: calls are parts, results are messages of their own, paired by id as in chat. */

const { isList } = require('../../lists.js');
const { seenIn } = require('../contents.js');
const { copyOf, isSpreadable } = require('../copy.js');
const { cutContent } = require('../cut-texts.js');

/** @type {import('../dialect.js').Dialect} */
const pi = {
  fields: null,

  reads: ({ role, content }) => role === 'toolResult' || role === 'bashExecution' || isList(content),

  read(message, reader) {
    const { role, content } = message;
    if (role === 'assistant') return reader.model(callsIn(content));
    if (role !== 'toolResult') return reader.other();
    const { toolCallId: id, isError } = message;
    reader.result({ id, held: content, look: seenIn, failed: isError === true });
  },

  firstChanged(table, messages, index, end) {
    for (; index < end; index++) {
      const message = messages[index];
      const { role, content, timestamp } = message;
      if (!table.isAt(index, message, role, isList(content) ? content.length : -1)) return index;
      const row = table.rowAt(index);
      if (role === 'assistant') {
        if (!sameCalls(row, content)) return index;
      } else if (role !== 'toolResult') continue;
      else if (!row.isTimed(message, timestamp)) return index;
      else if (!row.isStillResult(message.toolCallId, content, message.isError === true, -1)) return index;
    }
    return end;
  },

  replace(message, texts) {
    const content = [{ type: 'text', text: texts.get(-1) }];
    return isSpreadable(message) ? { ...message, content } : copyOf(message, { content });
  },

  without: () => undefined,

  answer(outcome, index, calls, text) {
    let last = index;
    while (outcome.original(last + 1)?.role === 'toolResult') last++;
    const answers = calls.map(({ id: toolCallId, name: toolName }) => {
      return { role: 'toolResult', toolCallId, toolName, content: [{ type: 'text', text }], isError: true };
    });
    outcome.insert(last, answers);
  },

  count(message, found) {
    const { role, content, command, output } = message;
    if (role === 'bashExecution') {
      found.content(command);
      found.content(output);
    }
    for (const part of isList(content) ? content : [content]) {
      if (part?.type === 'toolCall') found.call(part);
      else found.part(part);
    }
  },

  say({ role, content, toolCallId, isError, command, output }, said) {
    if (role === 'toolResult') {
      said.role = 'tool';
      return said.result(toolCallId, content, isError === true);
    }
    said.role = role === 'user' || role === 'assistant' ? role : 'other';
    if (role === 'bashExecution') {
      said.text(command);
      return said.text(output);
    }
    for (const part of content) {
      if (part?.type === 'toolCall') said.call(part.id, part.name, part.arguments);
      else said.part(part);
    }
  },

  cut: ({ role, content, output }, shorter) =>
    role === 'bashExecution'
      ? { output: cutContent(output, true, shorter) }
      : { content: cutContent(content, role === 'toolResult', shorter) },

  makeText: (text, _, now) => ({ role: 'user', content: [{ type: 'text', text }], timestamp: now }),
};

/** @param {import('../row.js').AnyRow} row @param {readonly any[]} content */
function sameCalls(row, content) {
  let nth = 0;
  for (let part = 0; part < content.length; part++) {
    const call = content[part];
    if (call?.type === 'toolCall' && !row.isStillCall(nth++, call.id, call.name, call.arguments, part)) return false;
  }
  return row.hasCalls(nth);
}

/** @param {readonly any[]} content */
function callsIn(content) {
  /** @type {import('../row.js').ReadCall[]} */
  const calls = [];
  content.forEach((part, at) => {
    if (part?.type !== 'toolCall') return;
    calls.push({ id: part.id, name: part.name, arguments: part.arguments, settled: false, at });
  });
  return calls;
}

module.exports = pi;
