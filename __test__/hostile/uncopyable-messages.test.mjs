// @ts-check
/** Messages that can be read but not copied, such as proxies that don't list their keys, are kept. Other results are still replaced. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContextView, prepareMessages } from 'palimpsest';

const NOW = 1_780_000_000_000;
const OUTPUT = JSON.stringify({ stdout: 'a line of output\n'.repeat(300), stderr: '', exitCode: 0 });
const CALLS = 12;
/** Which result can't be copied. */
const UNCOPYABLE = 2;

/** @template {object} M @param {M} message @returns {M} */
const uncopyable = (message) =>
  new Proxy(message, {
    ownKeys() {
      throw new Error('keys are not listed');
    },
  });

/** For each dialect, a call and its result. @type {Record<string, (id: string) => [any, any]>} */
const DIALECTS = {
  'openai-chat': (id) => [
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ id, type: 'function', function: { name: 'terminal-execute', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: id, content: OUTPUT, timestamp: NOW },
  ],
  anthropic: (id) => [
    { role: 'assistant', content: [{ type: 'tool_use', id, name: 'terminal-execute', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: OUTPUT }], timestamp: NOW },
  ],
};

for (const [dialect, exchange] of Object.entries(DIALECTS)) {
  const messages = Array.from({ length: CALLS }, (_, at) => {
    const [call, result] = exchange(`c${at}`);
    return [call, at === UNCOPYABLE ? uncopyable(result) : result];
  }).flat();
  messages.push({ role: 'assistant', content: 'Done.' }, { role: 'user', content: 'Go on.' });
  const proxy = messages[2 * UNCOPYABLE + 1];

  test(`R0.3 ${dialect}: a result that can't be copied is sent unchanged, and other results are replaced`, () => {
    const now = NOW + 3_600_000;
    for (const { messages: sent, report } of [
      prepareMessages(messages, { now }),
      new ContextView({ price: 'none', dropTools: ['terminal-execute'] }).project(messages, { now }),
    ]) {
      assert.equal(sent[2 * UNCOPYABLE + 1], proxy);
      assert.ok(report.changed > 0, 'other results are replaced');
      const kept = sent.filter((message, at) => message === messages[at]).length;
      assert.equal(messages.length - kept, report.changed, 'each changed message is a copy');
    }
  });

  test(`R10.1 ${dialect}: a view with a result that can't be copied sends earlier replacements unchanged`, () => {
    const view = new ContextView({ price: 'none', dropTools: ['terminal-execute'] });
    view.project(messages.slice(0, 2 * UNCOPYABLE + 2), { now: NOW });
    const before = view.project(messages, { now: NOW + 3_600_000 });
    const [call, result] = exchange('later');
    const { messages: sent } = view.project([...messages, call, result], { now: NOW + 3_601_000 });
    assert.equal(sent[2 * UNCOPYABLE + 1], proxy);
    const replaced = [...messages.keys()].filter((at) => before.messages[at] !== messages[at]);
    assert.ok(replaced.length > 0);
    for (const at of replaced) assert.deepEqual(sent[at], before.messages[at], 'the replacement is the same');
  });
}
