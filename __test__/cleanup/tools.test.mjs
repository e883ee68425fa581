// @ts-check
/** What a tool does, and which argument its calls are labelled with. The core's tests read the same examples. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ContextView, contextPicture, prepareMessages } from 'palimpsest';
import { exchange } from '../support/histories.mjs';

/** @type {{ tool: string, kind: string, arguments: object, label: string }[]} */
const calls = JSON.parse(readFileSync(new URL('../fixtures/tools.json', import.meta.url), 'utf8'));

/** @param {{ tool: string, arguments: object }} call */
const messagesOf = ({ tool, arguments: input }) => [
  { role: 'user', content: 'go' },
  ...exchange('c', tool, input, 'done'),
];

test('R8.1 a call and its result are labelled with the tool and its main argument', () => {
  for (const call of calls) {
    const { threads } = contextPicture(new ContextView(), messagesOf(call));
    assert.deepEqual(new Set(threads[0]?.cells.slice(-2).map(({ label }) => label)), new Set([call.label]));
  }
});

test('R3b.3 `uncoveredTools` has exactly the tools that run no commands, read no files and do not search', () => {
  const coveredKinds = ['command', 'read', 'list', 'search', 'web-search'];
  for (const call of calls) {
    // Rules match whole names: with an MCP server's prefix or a date at the end it is another tool.
    if (/^mcp__|_\d+$/.test(call.tool)) continue;
    const { uncoveredTools } = prepareMessages(messagesOf(call), { textSearch: {} }).report;
    assert.equal(call.tool in uncoveredTools, !coveredKinds.includes(call.kind), call.tool);
  }
});
