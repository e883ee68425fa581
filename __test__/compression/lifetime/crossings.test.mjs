// @ts-check
/** Calls of the addon during one `process`: each call between JavaScript and Rust costs time. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import { AutoCompressionManager, summary } from '../../support/compression.mjs';

const native = createRequire(import.meta.url)('../../../lib/native.js');
const TOOLS = [{ type: 'function', function: { name: 'Read', description: 'Reads a file.', parameters: {} } }];

/** Names of the addon's methods that `work` calls, in order. @param {() => Promise<unknown>} work */
async function nativeCalls(work) {
  /** @type {string[]} */
  const calls = [];
  const restorers = ['Compressor', 'TokenModel'].flatMap((name) => {
    const { prototype } = native[name];
    return Object.entries(Object.getOwnPropertyDescriptors(prototype)).flatMap(([method, descriptor]) => {
      const original = descriptor.value ?? descriptor.get;
      if (method === 'constructor' || original === undefined) return [];
      /** @param {any[]} given @this {any} */
      const counted = function (...given) {
        calls.push(`${name}.${method}`);
        return original.apply(this, given);
      };
      const replacement = descriptor.value === undefined ? { get: counted } : { value: counted };
      Object.defineProperty(prototype, method, { ...descriptor, ...replacement });
      return [() => Object.defineProperty(prototype, method, descriptor)];
    });
  });
  try {
    await work();
  } finally {
    for (const restore of restorers) restore();
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

describe('calls of the addon', () => {
  it('process calls the addon five times for a compression with one answer, and twice if it has nothing to do', async () => {
    /** @type {any[]} */
    const events = [];
    const settings = { autoCompressionSummaryModel: 'gpt-4o-mini', maxContextTokens: 1_000_000 };
    const manager = new AutoCompressionManager(settings, () => summary(), null, {
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
    assert.deepEqual(after, idle, 'the kept messages were counted again');
  });

  it('process passes the text of a summarised message to the addon once', async () => {
    const settings = { autoCompressionSummaryModel: 'gpt-4o-mini', maxContextTokens: 1_000_000 };
    const manager = new AutoCompressionManager(settings, () => summary());
    const messages = conversation();
    await manager.process(messages);
    settings.maxContextTokens = 10_000;
    const { prototype } = native.Compressor;
    const methods = ['configure', 'begin', 'read', 'summarise', 'proceed'];
    const originals = methods.map((method) => prototype[method]);
    const text = messages[1].content;
    let timesPassed = 0;
    methods.forEach((method, index) => {
      prototype[method] = function (/** @type {any[]} */ ...given) {
        timesPassed += given.filter(Array.isArray).filter((list) => list.includes(text)).length;
        return originals[index].apply(this, given);
      };
    });
    try {
      await manager.process(messages);
      assert.ok(!messages.some((message) => message.content === text));
    } finally {
      methods.forEach((method, index) => {
        prototype[method] = originals[index];
      });
    }
    assert.equal(timesPassed, 1);
  });
});
