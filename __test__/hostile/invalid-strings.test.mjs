// @ts-check
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { prepareMessages, simplifyHistoricalFileReads, simplifyOutdatedTerminalResults } from 'palimpsest';
import { HOUR, NOW, OLD_READ, OUTDATED, oldTerminalResult, simplifiedContent } from '../support/old-results.mjs';

/** @typedef {any} Odd */

describe('R0.2 strings are JavaScript strings', () => {
  /** @param {string} args @param {Odd} [fields] */
  function reads(args, fields) {
    return Array.from({ length: 7 }, (_, index) => [
      { role: 'assistant', tool_calls: [{ id: `r${index}`, function: { name: 'filesystem-read', arguments: args } }] },
      { role: 'tool', tool_call_id: `r${index}`, content: `read ${index}`, timestamp: NOW + index, ...fields },
    ]).flat();
  }
  const replaced = (/** @type {Odd[]} */ messages) => {
    simplifyHistoricalFileReads(messages);
    return messages.filter(({ content }) => content === OLD_READ).length;
  };

  it('a path with a lone surrogate names a file', () => {
    assert.equal(replaced(reads(JSON.stringify({ filePath: 'a\ud800.ts' }))), 2);
    assert.equal(replaced(reads('{"filePath":"a\ud800.ts"}')), 2);
  });

  it('a path called __proto__ is a path, also in the report', () => {
    const report = simplifyHistoricalFileReads(reads(JSON.stringify({ filePath: '__proto__' })));
    assert.equal(Object.getOwnPropertyDescriptor(report.byRule.fileReads?.byPath, '__proto__')?.value.changed, 2);
  });

  for (const args of ['', '   ', '{', 'null', '7', '[]', '{"filePath":7}', '{"filePath":[[]]}', '{"filePath":"  "}']) {
    it(`R2.2 arguments ${JSON.stringify(args)} leave the read alone`, () => assert.equal(replaced(reads(args)), 0));
  }
  for (const args of [undefined, null, 7, ['a'], () => 'a', { filePath: 1n }]) {
    it(`R2.2 arguments that are ${typeof args} leave the read alone`, () =>
      assert.equal(replaced(reads(/** @type {Odd} */ (args))), 0));
  }

  it('NUL, ANSI and two-byte contents pass through unharmed', () => {
    const content = `${'\u0000\u001b[31m你好😀\ud800'.repeat(1000)}`;
    const [call, message] = oldTerminalResult('a', { content, timestamp: NOW });
    const { messages } = prepareMessages([call, message], { now: NOW });
    assert.equal(messages[1], message);
    assert.equal(/** @type {Odd} */ (message).content.length, content.length);
  });

  it('a rope is read like a flat string', () => {
    let rope = '{"stdout":"';
    for (let index = 0; index < 5000; index++) rope += `line ${index} `;
    rope += '","stderr":"boom","exitCode":1}';
    assert.equal(simplifiedContent(oldTerminalResult('odd', { content: rope })[1]).content, rope);
    assert.equal(
      simplifiedContent(oldTerminalResult('odd', { content: rope.replace('boom', '').replace(':1}', ':0}') })[1])
        .content,
      OUTDATED,
    );
  });
});

describe('R0.3 size is no excuse', () => {
  it('50 MB of content are simplified, and kept where they say that the command failed', () => {
    const huge = 'x'.repeat(50_000_000);
    assert.equal(
      simplifiedContent(oldTerminalResult('odd', { content: `{"stdout":"${huge}","stderr":"","exitCode":0}` })[1])
        .content,
      OUTDATED,
    );
    const failed = `{"exitCode":3,"stdout":"${huge}"}`;
    assert.equal(simplifiedContent(oldTerminalResult('odd', { content: failed })[1]).content, failed);
  });

  it('JSON 100,000 levels deep is looked into', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const failed = `{"stderr":"x","stdout":${deep}}`;
    assert.equal(simplifiedContent(oldTerminalResult('odd', { content: failed })[1]).content, failed);
    assert.equal(
      simplifiedContent(oldTerminalResult('odd', { content: `{"stderr":"","stdout":${deep}}` })[1]).content,
      OUTDATED,
    );
    const args = `{"filePath":"a","deep":${deep}}`;
    const reads = Array.from({ length: 6 }, (_, index) => [
      { role: 'assistant', tool_calls: [{ id: `d${index}`, function: { name: 'filesystem-read', arguments: args } }] },
      { role: 'tool', tool_call_id: `d${index}`, content: 'x', timestamp: index },
    ]).flat();
    assert.equal(simplifyHistoricalFileReads(reads).changed, 1);
  });

  it('100,000 messages, also in reverse order of time, are one call', () => {
    for (const step of [1, -1]) {
      const messages = Array.from({ length: 50_000 }, (_, index) =>
        oldTerminalResult(`m${index}`, { timestamp: NOW - 2 * HOUR + step * index }),
      ).flat();
      assert.equal(simplifyOutdatedTerminalResults(messages, { now: NOW }).changed, 49_995);
    }
  });

  it('one call that names 20,000 files does not take quadratic time or room', () => {
    const filePath = Array.from({ length: 20_000 }, (_, index) => `src/${index}.ts`);
    const args = JSON.stringify({ filePath });
    const reads = Array.from({ length: 7 }, (_, index) => [
      { role: 'assistant', tool_calls: [{ id: `b${index}`, function: { name: 'filesystem-read', arguments: args } }] },
      { role: 'tool', tool_call_id: `b${index}`, content: 'x', timestamp: index },
    ]).flat();
    const report = simplifyHistoricalFileReads(reads);
    assert.equal(report.changed, 2);
    assert.equal(Object.keys(report.byRule.fileReads?.byPath ?? {}).length, 20_000);
  });
});
