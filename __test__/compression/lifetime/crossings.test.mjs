// @ts-check
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';

const require = createRequire(import.meta.url);
const native = require('../../../lib/native.js');
const { AutoCompressionManager } = require('palimpsest');

const SUMMARY =
  '## Goal\nx\n## Decisions\nx\n## Done\nx\n## Open\nx\n## Files\nx\n## Failed attempts\nx\n## Discoveries\nx';
const TOOLS = [{ type: 'function', function: { name: 'Read', description: 'Reads a file.', parameters: {} } }];
/** Calls of the addon's objects, by name, while `work` runs. @param {() => Promise<unknown>} work */
async function nativeCalls(work) {
  /** @type {string[]} */
  const calls = [];
  const undo = ['Compressor', 'TokenModel'].flatMap((name) => {
    const { prototype } = native[name];
    return Object.entries(Object.getOwnPropertyDescriptors(prototype)).flatMap(([method, descriptor]) => {
      const own = descriptor.value ?? descriptor.get;
      if (method === 'constructor' || own === undefined) return [];
      /** @param {any[]} given @this {any} */
      const counted = function (...given) {
        calls.push(`${name}.${method}`);
        return own.apply(this, given);
      };
      const instead = descriptor.value === undefined ? { get: counted } : { value: counted };
      Object.defineProperty(prototype, method, { ...descriptor, ...instead });
      return [() => Object.defineProperty(prototype, method, descriptor)];
    });
  });
  try {
    await work();
  } finally {
    for (const put of undo) put();
  }
  return calls;
}

function conversation() {
  /** @type {any[]} */
  const messages = [{ role: 'system', content: 'You are a coding agent.' }];
  for (let n = 0; n < 60; n++) {
    messages.push({ role: 'user', content: `part ${n}: ${'word '.repeat(100)}` });
    messages.push({
      role: 'assistant',
      content: `did ${n}`,
      usage: { prompt_tokens: 150 * n + 120, completion_tokens: 4 },
    });
  }
  return messages;
}

describe('how often a compression calls the addon', () => {
  it('R7 a compression with one answer takes five calls, and a look with nothing to do takes two', async () => {
    /** @type {any[]} */
    const events = [];
    const settings = { autoCompressionSummaryModel: 'gpt-4o-mini', maxContextTokens: 1_000_000 };
    const manager = new AutoCompressionManager(settings, () => SUMMARY, null, {
      tools: () => structuredClone(TOOLS),
      onEvent: (/** @type {any} */ event) => events.push(event.type),
    });
    const messages = conversation();
    await manager.process(messages);
    const idle = await nativeCalls(() => manager.process(messages));
    assert.deepEqual(idle, ['Compressor.configure', 'Compressor.begin']);
    settings.maxContextTokens = 10_000;
    const calls = await nativeCalls(() => manager.process(messages));
    assert.deepEqual(
      calls,
      ['configure', 'begin', 'read', 'summarise', 'proceed'].map((method) => `Compressor.${method}`),
    );
    assert.deepEqual(events, ['triggered', 'summary_requested', 'summary_answered', 'compressed']);
    assert.equal(messages.length, 12);
    const after = await nativeCalls(() => manager.process(messages));
    assert.deepEqual(after, idle, 'what the compression left is counted already');
  });

  it('R7 the texts of what is summarised are handed over once', async () => {
    const settings = { autoCompressionSummaryModel: 'gpt-4o-mini', maxContextTokens: 1_000_000 };
    const manager = new AutoCompressionManager(settings, () => SUMMARY);
    const messages = conversation();
    await manager.process(messages);
    settings.maxContextTokens = 10_000;
    const { prototype } = native.Compressor;
    const methods = ['configure', 'begin', 'read', 'summarise', 'proceed'];
    const own = methods.map((method) => prototype[method]);
    const text = messages[1].content;
    let times = 0;
    methods.forEach((method, index) => {
      prototype[method] = function (/** @type {any[]} */ ...given) {
        times += given.filter(Array.isArray).filter((list) => list.includes(text)).length;
        return own[index].apply(this, given);
      };
    });
    try {
      await manager.process(messages);
      assert.ok(!messages.some((message) => message.content === text));
    } finally {
      methods.forEach((method, index) => {
        prototype[method] = own[index];
      });
    }
    assert.equal(times, 1);
  });
});
