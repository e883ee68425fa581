// @ts-check
/** Fields of Responses and Agents SDK items that `stripForApi` keeps. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripForApi } from 'palimpsest';

test('R7.8 stripForApi keeps the fields of tool searches, callers and images in items of Responses and the Agents SDK', () => {
  const items = [
    { type: 'tool_search_call', id: 'ts_1', execution: 'client', arguments: {}, toolSearchAgentName: 'agent' },
    {
      type: 'function_call',
      call_id: 'call_1',
      name: 'read',
      arguments: '{}',
      caller: { type: 'direct' },
      async: true,
    },
    {
      type: 'image_generation_call',
      id: 'ig_1',
      result: 'AAAA',
      quality: 'high',
      revised_prompt: 'A cat.',
      size: '1x1',
    },
    { type: 'shell_call_output', callId: 'call_2', output: [], maxOutputLength: 400 },
  ];
  assert.deepEqual(stripForApi(items), items);
  assert.deepEqual(stripForApi(items.map((item) => ({ ...item, isShown: true }))), items);
});

test('R7.8 with the option dialect, stripForApi keeps that dialect’s fields of a message without other items', () => {
  const item = { type: 'message', role: 'user', content: 'Go.', status: 'completed' };
  assert.deepEqual(stripForApi([{ ...item, isShown: true }], { dialect: 'openai-responses' }), [item]);
  assert.deepEqual(stripForApi([item]), [{ role: 'user', content: 'Go.' }]);
});
