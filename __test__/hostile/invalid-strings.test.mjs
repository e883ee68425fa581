// @ts-check
/** Strings that JSON, Rust or a regular expression could fail at: lone surrogates, NUL, ropes, and very long or deep ones. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { prepareMessages, simplifyHistoricalFileReads, simplifyOutdatedTerminalResults } from 'palimpsest';
import {
  HOUR,
  NOW,
  oldTerminalResult,
  READ_PLACEHOLDER,
  simplifiedMessage,
  TERMINAL_PLACEHOLDER,
} from '../support/old-results.mjs';

/** @typedef {any} Untyped */

/** Seven reads of the same arguments, of which the newest five stay. @param {Untyped} args */
const reads = (args) =>
  Array.from({ length: 7 }, (_, index) => [
    { role: 'assistant', tool_calls: [{ id: `r${index}`, function: { name: 'filesystem-read', arguments: args } }] },
    { role: 'tool', tool_call_id: `r${index}`, content: `read ${index}`, timestamp: NOW + index },
  ]).flat();

describe('R0.2 strings are JavaScript strings', () => {
  const replaced = (/** @type {Untyped[]} */ messages) => {
    simplifyHistoricalFileReads(messages);
    return messages.filter(({ content }) => content === READ_PLACEHOLDER).length;
  };

  it('a path with a lone surrogate identifies a file', () => {
    assert.equal(replaced(reads(JSON.stringify({ filePath: 'a\ud800.ts' }))), 2);
    assert.equal(replaced(reads('{"filePath":"a\ud800.ts"}')), 2);
  });

  it('a path called __proto__ is an own key of the report’s byPath', () => {
    const report = simplifyHistoricalFileReads(reads(JSON.stringify({ filePath: '__proto__' })));
    assert.equal(Object.getOwnPropertyDescriptor(report.byRule.fileReads?.byPath, '__proto__')?.value.changed, 2);
  });

  for (const args of ['', '   ', '{', 'null', '7', '[]', '{"filePath":7}', '{"filePath":[[]]}', '{"filePath":"  "}']) {
    it(`R2.2 a read with the arguments ${JSON.stringify(args)} is kept`, () => assert.equal(replaced(reads(args)), 0));
  }
  for (const args of [undefined, null, 7, ['a'], () => 'a', { filePath: 1n }]) {
    it(`R2.2 a read whose arguments are ${Array.isArray(args) ? 'an array' : String(args)} is kept`, () =>
      assert.equal(replaced(reads(args)), 0));
  }

  it('prepareMessages does not change NUL, ANSI sequences, two-byte characters and lone surrogates', () => {
    const content = `${'\u0000\u001b[31m你好😀\ud800'.repeat(1000)}`;
    const [call, message] = oldTerminalResult('a', { content, timestamp: NOW });
    const { messages } = prepareMessages([call, message], { now: NOW });
    assert.equal(messages[1], message);
    assert.equal(/** @type {Untyped} */ (message).content.length, content.length);
  });

  it('a string built by concatenation (a rope) is parsed like a flat string', () => {
    let rope = '{"stdout":"';
    for (let index = 0; index < 5000; index++) rope += `line ${index} `;
    rope += '","stderr":"boom","exitCode":1}';
    assert.equal(simplifiedMessage(oldTerminalResult('tested', { content: rope })[1]).content, rope);
    assert.equal(
      simplifiedMessage(oldTerminalResult('tested', { content: rope.replace('boom', '').replace(':1}', ':0}') })[1])
        .content,
      TERMINAL_PLACEHOLDER,
    );
  });
});

describe('R0.3 large input is processed completely', () => {
  it('a result of 50 MB is replaced, and kept if the command failed', () => {
    const huge = 'x'.repeat(50_000_000);
    assert.equal(
      simplifiedMessage(oldTerminalResult('tested', { content: `{"stdout":"${huge}","stderr":"","exitCode":0}` })[1])
        .content,
      TERMINAL_PLACEHOLDER,
    );
    const failed = `{"exitCode":3,"stdout":"${huge}"}`;
    assert.equal(simplifiedMessage(oldTerminalResult('tested', { content: failed })[1]).content, failed);
  });

  it('JSON that is nested 100,000 levels deep is parsed', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const failed = `{"stderr":"x","stdout":${deep}}`;
    assert.equal(simplifiedMessage(oldTerminalResult('tested', { content: failed })[1]).content, failed);
    assert.equal(
      simplifiedMessage(oldTerminalResult('tested', { content: `{"stderr":"","stdout":${deep}}` })[1]).content,
      TERMINAL_PLACEHOLDER,
    );
    const args = `{"filePath":"a","deep":${deep}}`;
    assert.equal(simplifyHistoricalFileReads(reads(args)).changed, 2);
  });

  it('100,000 messages are processed in one call, in order of time and in reverse order', () => {
    for (const step of [1, -1]) {
      const messages = Array.from({ length: 50_000 }, (_, index) =>
        oldTerminalResult(`m${index}`, { timestamp: NOW - 2 * HOUR + step * index }),
      ).flat();
      assert.equal(simplifyOutdatedTerminalResults(messages, { now: NOW }).changed, 49_995);
    }
  });

  it('reads that name 20,000 files each are processed and reported by path', () => {
    const filePath = Array.from({ length: 20_000 }, (_, index) => `src/${index}.ts`);
    const args = JSON.stringify({ filePath });
    const report = simplifyHistoricalFileReads(reads(args));
    assert.equal(report.changed, 2);
    assert.equal(Object.keys(report.byRule.fileReads?.byPath ?? {}).length, 20_000);
  });
});
