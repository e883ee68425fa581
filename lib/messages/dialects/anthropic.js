// @ts-check
'use strict';

/**
 * Anthropic's `MessageParam`: calls and results are blocks of a message. Results must be in the user message directly after the call, before any
 * other block. Tools that the server runs have their results in the assistant message; they are never changed.
 */

const { isList } = require('../../lists.js');
const { textWithBreakpoint, PLAIN_RESULT, textOfContent } = require('../tool-result.js');
const { copyOf, isSpreadable } = require('../copy.js');
const { afterResults, partList } = require('../part-list.js');
const { cutContent, hasThinkingFields } = require('../parts.js');

const ROLES = new Set(['user', 'assistant', 'system']);

/** @type {import('../parts.js').ResultForm} */ const RESULT = {
  ...PLAIN_RESULT,
  read: (content) => textOfContent(content ?? ''),
  cut: (block, shorten) => copyOf(block, { content: cutContent(block.content, true, shorten) }),
};

/** @type {import('../choice.js').Dialect} */ const anthropic = {
  fields: ['role', 'content'],
  needsResultsInTurn: true,
  allowsSystemInTurn: true,

  ...partList({
    field: 'content',
    assistantRole: 'assistant',
    isStillCall(row, nth, block, at) {
      return block?.type === 'tool_use' ? row.isStillCall(nth, block.id, block.name, block.input, at) : undefined;
    },
    isStillResult(row, _, block, at) {
      if (block?.type !== 'tool_result') return undefined;
      return row?.isStillResult(block.tool_use_id, block.content, block.is_error === true, at) === true;
    },
    replaced(block, text) {
      const content = textWithBreakpoint(block.content, text);
      return isSpreadable(block) ? { ...block, content } : copyOf(block, { content });
    },
  }),

  read(message, parts) {
    const { role, content } = message;
    parts.setRole(ROLES.has(role) ? role : 'other');
    if (hasThinkingFields(message)) parts.hasThinking = true;
    parts.each('content', content, (block, at) => {
      if (block?.type === 'tool_result') {
        const { tool_use_id, content: source, is_error } = block;
        return parts.result({ id: tool_use_id, source, failed: is_error === true, at }, RESULT);
      }
      if (role !== 'assistant' && role !== 'system') parts.otherSpeaks();
      // A server tool's result: `mcp_tool_result`, `web_search_tool_result`, …
      if (typeof block?.type === 'string' && block.type.endsWith('_tool_result')) parts.unchangeableCount++;
      if (block?.type !== 'tool_use') return parts.part(block, at);
      parts.call({ id: block.id, name: block.name, arguments: block.input, at });
    });
  },

  addResults(outcome, index, calls, text) {
    const results = calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: text, is_error: true }));
    let at = index + 1;
    while (outcome.at(at)?.role === 'system') at++;
    const next = outcome.at(at);
    const content = next?.role === 'user' ? next.content : undefined;
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    // A user message after a system message belongs to this turn only if it begins with results.
    const isInTurn = at === index + 1 || (isList(blocks) && blocks[0]?.type === 'tool_result');
    if (!isList(blocks) || !isInTurn) return outcome.insert(index, [{ role: 'user', content: results }]);
    const isResult = (/** @type {any} */ block) => block?.type === 'tool_result';
    outcome.set(at, copyOf(next, { content: afterResults(blocks, isResult, results) }));
  },
};

module.exports = anthropic;
