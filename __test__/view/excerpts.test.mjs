// @ts-check
/** A part of a conversation, as a gateway may get it: results whose calls are in messages that it doesn't see. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContextView, ContextViews, prepareMessages } from 'palimpsest';

const OUTPUT = 'a line of output\n'.repeat(100);
/** Two results without their calls, by dialect. @type {Record<string, any[]>} */
const EXCERPTS = {
  'openai-chat': ['a', 'b'].map((id) => ({ role: 'tool', tool_call_id: id, content: OUTPUT })),
  anthropic: [
    {
      role: 'user',
      content: ['a', 'b'].map((id) => ({ type: 'tool_result', tool_use_id: id, content: OUTPUT })),
    },
  ],
  'openai-responses': ['a', 'b'].map((id) => ({ type: 'function_call_output', call_id: id, output: OUTPUT })),
  'ai-sdk': ['a', 'b'].map((id) => ({
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: id, toolName: 'bash', output: { type: 'text', value: OUTPUT } }],
  })),
};

for (const [dialect, excerpt] of Object.entries(EXCERPTS)) {
  test(`R11.4 ${dialect}: results in messages without any call are returned unchanged, and counted as \`unmatchedResults\``, async () => {
    for (const view of [new ContextView(), new ContextViews()]) {
      const before = structuredClone(excerpt);
      const { messages, report } = view.project(excerpt);
      assert.deepEqual(messages, excerpt);
      assert.deepEqual([report.changed, report.unmatchedResults], [0, 2]);
      const prepared = await view.prepare([...excerpt, { role: 'user', content: 'Go on.' }]);
      assert.deepEqual(prepared.messages.slice(0, -1), before);
      assert.equal(prepared.report.unmatchedResults, 2);
      assert.equal(prepared.report.toJSON().unmatchedResults, 2);
    }
  });
}

test('R11.4 results without a call are removed as orphans once any message has a call', () => {
  const call = { id: 'c', type: 'function', function: { name: 'bash', arguments: '{}' } };
  const messages = [
    ...(EXCERPTS['openai-chat'] ?? []),
    { role: 'assistant', content: '', tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c', content: OUTPUT },
  ];
  const view = new ContextView();
  assert.equal(view.project(messages.slice(0, 2)).report.unmatchedResults, 2);
  const { messages: sent, report } = view.project(messages);
  assert.deepEqual(sent, messages.slice(2));
  assert.deepEqual([report.byRule.orphans?.changed, report.unmatchedResults], [2, 0]);
});

test('R11.4 a result whose call is in a summary is removed as an orphan', () => {
  for (const [dialect, excerpt] of Object.entries(EXCERPTS)) {
    const compression = { id: 'c1', kind: 'summary', level: 1, messageCount: 2 };
    const summary = { role: 'user', content: 'A summary.', isCompressed: true, compression };
    const { messages, report } = new ContextView().project([summary, ...excerpt]);
    assert.deepEqual([messages.length, report.unmatchedResults], [1, 0], dialect);
  }
});

test("R3.1 prepareMessages removes results without calls, and with `orphans: 'answer'` counts them", () => {
  const { messages, report } = prepareMessages(EXCERPTS['openai-chat'] ?? []);
  assert.deepEqual([messages.length, report.unmatchedResults], [0, 0]);
  const kept = prepareMessages(EXCERPTS['openai-chat'] ?? [], { orphans: 'answer' });
  assert.deepEqual([kept.messages.length, kept.report.unmatchedResults], [2, 2]);
});
