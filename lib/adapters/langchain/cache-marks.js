// @ts-check
'use strict';

/** Sets `cache_control` on blocks of the content, where LangChain's Anthropic model looks for it. */
const { isList } = require('../../lists.js');
const langchain = require('../../messages/dialects/langchain.js');
const { markedContent, marksIn } = require('../anthropic/cache-marks.js');
const { marked, placed } = require('../cache-marks.js');

/** @typedef {import('../cache-marks.js').Mark} Mark */

/**
 * @param {readonly any[]} messages system prompt included @param {readonly number[]} places @param {Mark} mark
 * @param {readonly any[]} ahead the application's breakpoints on tools, or for the whole request
 */
function withCacheMarks(messages, places, mark, ahead) {
  const before = ahead.map((own) => placed(own, -1));
  const among = messages.flatMap((message, place) => marksIn(message?.content).map((own) => placed(own, place)));
  return marked(messages, { places, hosts: [...before, ...among], mark, withMark });
}

/** @param {any} call @returns {any[]} */
function marksAhead({ tools, modelSettings }) {
  const onTools = (isList(tools) ? tools : []).flatMap((tool) => [
    tool?.cache_control ?? tool?.extras?.cache_control ?? [],
  ]);
  return [...onTools, modelSettings?.cache_control ?? []].flat();
}

/** @param {any} message @param {Mark} mark */
function withMark(message, mark) {
  const content = markedContent(contentOf(message), mark);
  return content && langchain.keeper?.copy(message, [], { content });
}

/**
 * The content with all tool calls as blocks. LangChain appends calls that aren't in the content, and the breakpoint would not be last.
 * @param {any} message
 */
function contentOf({ content, tool_calls: calls }) {
  if (!isList(calls) || calls.length === 0) return content;
  const said = isList(content) ? content : content === '' ? [] : [{ type: 'text', text: content }];
  const held = new Set(said.map((block) => block?.id));
  const further = calls.filter(({ id }) => !held.has(id));
  return [...said, ...further.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: args }))];
}

module.exports = { marksAhead, withCacheMarks };
