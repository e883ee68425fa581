// @ts-check
/** One registry says what a tool does and what its calls are about; the core's tests read the same file of examples. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ContextView, contextPicture, prepareMessages } from 'palimpsest';

/** @type {{ tool: string, kind: string, arguments: object, label: string }[]} */
const calls = JSON.parse(readFileSync(new URL('../fixtures/tools.json', import.meta.url), 'utf8'));

/** @param {{ tool: string, arguments: object }} call */
const messagesOf = ({ tool, arguments: given }) => [
  { role: 'user', content: 'go' },
  {
    role: 'assistant',
    content: '',
    tool_calls: [{ id: 'c', type: 'function', function: { name: tool, arguments: JSON.stringify(given) } }],
  },
  { role: 'tool', tool_call_id: 'c', content: 'done' },
];

test('R8.1 a call is named by its tool and by what tells it from others', () => {
  for (const call of calls) {
    const { threads } = contextPicture(new ContextView(), messagesOf(call));
    assert.deepEqual(new Set(threads[0]?.cells.slice(-2).map(({ label }) => label)), new Set([call.label]));
  }
});

test('R10.1 every tool that runs commands, reads files or searches has a rule under the name that its agent gives it', () => {
  const ruled = ['command', 'read', 'list', 'search', 'web-search'];
  for (const call of calls) {
    // Rules go by whole names: a server of MCP or a date in front or behind makes another tool.
    if (/^mcp__|_\d+$/.test(call.tool)) continue;
    const { uncoveredTools } = prepareMessages(messagesOf(call), { textSearch: {} }).report;
    assert.equal(call.tool in uncoveredTools, !ruled.includes(call.kind), call.tool);
  }
});
