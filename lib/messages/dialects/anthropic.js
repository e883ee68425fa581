// @ts-check
'use strict';

/**
 * Anthropic's `MessageParam`: calls and results are blocks of a message. Results stand in the user message right behind
 * the call, before any other block. Tools that the server runs have their results in the assistant's message: they are
 * no concern of the host's.
 */

const { isList } = require('../../lists.js');
const { seenIn } = require('../contents.js');
const { changedList, copyOf, isSpreadable, replacedParts } = require('../copy.js');
const { cutContent, cutPart } = require('../cut-texts.js');
const { hasThinkingFields } = require('../thinking.js');

/** @type {import('../dialect.js').Dialect} */
const anthropic = {
  fields: ['role', 'content'],

  reads: (message) => isList(message.content),

  read(message, reader) {
    const { role, content } = message;
    if (role === 'assistant') return reader.model(callsIn(content));
    content.forEach((/** @type {any} */ block, /** @type {number} */ part) => {
      if (block?.type !== 'tool_result') {
        reader.interrupt();
        return;
      }
      const { tool_use_id: id, content: held, is_error } = block;
      reader.result({ id: reader.inPlace(id), held: held ?? '', look: seenIn, failed: is_error === true, part });
    });
    reader.other();
  },

  firstChanged(table, messages, index, end) {
    for (; index < end; index++) {
      const message = messages[index];
      const { role, content, timestamp } = message;
      if (!isList(content) || !table.isAt(index, message, role, content.length)) return index;
      const row = table.rowAt(index);
      if (role === 'assistant') {
        if (!sameCalls(row, content)) return index;
      } else if (!row.isTimed(message, timestamp) || !sameResults(table, index, content)) return index;
    }
    return end;
  },

  replace(message, texts) {
    const content = replacedParts(message.content, texts, replaced);
    return isSpreadable(message) ? { ...message, content } : copyOf(message, { content });
  },

  without(message, parts) {
    const content = changedList(message.content, (block, part) => (parts.has(part) ? undefined : block));
    return content.length === 0 ? undefined : copyOf(message, { content });
  },

  answer(outcome, index, calls, text) {
    const results = calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: text, is_error: true }));
    const next = outcome.at(index + 1);
    if (next?.role !== 'user') return outcome.insert(index, [{ role: 'user', content: results }]);
    const blocks = typeof next.content === 'string' ? [{ type: 'text', text: next.content }] : next.content;
    const others = blocks.findIndex((/** @type {any} */ block) => block?.type !== 'tool_result');
    const end = others < 0 ? blocks.length : others;
    outcome.set(index + 1, copyOf(next, { content: [...blocks.slice(0, end), ...results, ...blocks.slice(end)] }));
  },

  count(message, found) {
    for (const block of isList(message.content) ? message.content : []) {
      if (block?.type === 'tool_use') found.call(block);
      else if (block?.type === 'tool_result') found.content(block.content);
      else found.part(block);
    }
  },

  say(message, said) {
    const { role, content } = message;
    said.role = role === 'user' || role === 'assistant' || role === 'system' ? role : 'other';
    said.hasThinking = hasThinkingFields(message);
    for (const block of content) {
      if (block?.type === 'tool_use') said.call(block.id, block.name, block.input);
      else if (block?.type === 'tool_result') {
        said.result(block.tool_use_id, block.content, block.is_error === true);
      } else said.part(block);
    }
  },

  cut: ({ content }, shorter) => ({
    content: content.map((/** @type {any} */ block) =>
      block?.type === 'tool_result'
        ? copyOf(block, { content: cutContent(block.content, true, shorter) })
        : cutPart(block, false, shorter),
    ),
  }),
};

/** @param {import('../row.js').AnyRow} row @param {readonly any[]} content */
function sameCalls(row, content) {
  let nth = 0;
  for (let part = 0; part < content.length; part++) {
    const block = content[part];
    if (block?.type !== 'tool_use') continue;
    if (!row.isStillCall(nth++, block.id, block.name, block.input, part)) return false;
  }
  return row.hasCalls(nth);
}

/** @param {import('../dialect.js').Table} table @param {number} index @param {readonly any[]} content */
function sameResults(table, index, content) {
  let nth = 0;
  for (let part = 0; part < content.length; part++) {
    const block = content[part];
    if (block?.type !== 'tool_result') continue;
    const row = table.rowAt(index, nth++);
    if (!row?.isStillResult(block.tool_use_id, block.content ?? '', block.is_error === true, part)) return false;
  }
  return table.areResults(index, nth);
}

/** @param {readonly any[]} content */
function callsIn(content) {
  /** @type {import('../row.js').ReadCall[]} */
  const calls = [];
  content.forEach((block, at) => {
    if (block?.type !== 'tool_use') return;
    calls.push({ id: block.id, name: block.name, arguments: block.input, settled: false, at });
  });
  return calls;
}

/** @param {any} block @param {string} text */
function replaced(block, text) {
  const content = replacement(block.content, text);
  return isSpreadable(block) ? { ...block, content } : copyOf(block, { content });
}

/** A block of the result may carry the mark up to which a provider caches. @param {unknown} content @param {string} text */
function replacement(content, text) {
  const marked = isList(content) ? content.findLast((block) => block?.cache_control) : undefined;
  return marked === undefined ? text : [{ type: 'text', text, cache_control: marked.cache_control }];
}

module.exports = anthropic;
