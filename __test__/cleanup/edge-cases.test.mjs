// @ts-check
/** Defects of other systems, numbered as in docs/spec/edge-cases.md. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  cleanOrphanedToolCalls,
  parseContextLengthError,
  prepareMessages,
  sanitizeToolResultsJson,
  simplifyOutdatedTerminalResults,
  truncateOutput,
} from 'palimpsest';
import { exchange } from '../support/histories.mjs';

const NOW = 1_800_000_000_000;
const OUTDATED_IN_ENGLISH = '[Outdated command output removed]';

/** Results that are one hour old. @param {number} count @param {string} [tool] */
function history(count, tool = 'bash') {
  return Array.from({ length: count }, (_, index) => {
    const content = JSON.stringify({ stdout: `output ${index}`, stderr: '', exitCode: 0 });
    return exchange(`c${index}`, tool, {}, content, { timestamp: NOW - 3_600_000 + index });
  }).flat();
}

describe('defects of other systems', () => {
  it('EDGE 12 a rate limit with a number of tokens is not parsed as an overflow', () => {
    for (const message of [
      'Rate limit reached: 19000 tokens used of 200000 tokens per minute',
      'Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 19012',
    ]) {
      assert.equal(parseContextLengthError(message), null, message);
    }
  });

  it('EDGE 23 after a cut anywhere, no result is without its call, and no call without its result', () => {
    const stored = history(6);
    for (let start = 0; start <= stored.length; start++) {
      for (let end = start; end <= stored.length; end++) {
        const cut = stored.slice(start, end);
        cleanOrphanedToolCalls(cut);
        const declared = cut.flatMap((message) => (message.tool_calls ?? []).map(({ id }) => id));
        const answered = cut.flatMap((message) => (message.tool_call_id === undefined ? [] : [message.tool_call_id]));
        assert.deepEqual(declared, answered);
      }
    }
  });

  it('EDGE 24 thinking, signatures and `reasoning_content` of kept messages stay byte-identical', () => {
    const thinking = { type: 'thinking', thinking: '先看测试', signature: 'c2lnbmVk' };
    const stored = history(8).map((message) =>
      message.role === 'assistant'
        ? { ...message, thinking, reasoning_content: '想一想', extra: { thoughtSignature: 's' } }
        : message,
    );
    const before = JSON.stringify(stored.filter(({ role }) => role === 'assistant'));
    const { messages } = prepareMessages(stored, { now: NOW });
    assert.equal(JSON.stringify(messages.filter(({ role }) => role === 'assistant')), before);
  });

  it('EDGE 27 a cut inside an emoji leaves no lone surrogate', () => {
    const text = '😀a😀b'.repeat(30);
    for (let limit = 0; limit < text.length; limit++) {
      for (const keep of [undefined, 'head', 'tail', 'both', 'errors']) {
        const cut = truncateOutput(text, /** @type {any} */ ({ limit, keep }));
        assert.doesNotMatch(
          cut,
          /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/,
          `${limit} ${keep}`,
        );
      }
    }
  });

  it('EDGE 28 a result with NUL and control characters stays the same in a request', () => {
    const content = JSON.stringify({ stdout: '\u0000\u0007\u001b[31mred', stderr: '\u0001', exitCode: 0 });
    const stored = [...history(1), { role: 'tool', tool_call_id: 'c0', content, timestamp: 1 }];
    const { messages } = prepareMessages(stored, { now: NOW });
    assert.equal(JSON.parse(JSON.stringify(messages)).at(-1).content, content);
  });

  it('EDGE 31 an output of one line with 16 million units is truncated, and its end can be kept', () => {
    const output = `${'x'.repeat(16_000_000)}THE END`;
    assert.ok(truncateOutput(output, 30_000).length < 30_100);
    for (const keep of /** @type {const} */ (['tail', 'both'])) {
      const cut = truncateOutput(output, { limit: 30_000, keep });
      assert.ok(cut.length < 30_200 && cut.endsWith('THE END'), keep);
    }
  });

  it('R0.4 the same history gives the same bytes, also after calls with other histories', () => {
    const stored = history(40);
    const bytes = JSON.stringify(prepareMessages(stored, { now: NOW }).messages);
    prepareMessages(history(90), { now: NOW + 5 });
    prepareMessages(stored.slice(0, 30), { now: NOW + 10 });
    assert.equal(JSON.stringify(prepareMessages(stored, { now: NOW }).messages), bytes);
    assert.equal(JSON.stringify(prepareMessages(structuredClone(stored), { now: NOW }).messages), bytes);
  });

  it('EDGE 35 a placeholder has the index of its message, and the stored original stays', () => {
    const stored = history(8);
    const { messages, report } = prepareMessages(stored, { now: NOW });
    assert.equal(messages.length, stored.length);
    for (const index of report.indices) {
      assert.equal(messages[index]?.content, OUTDATED_IN_ENGLISH);
      assert.match(String(stored[index]?.content), /output/);
    }
  });

  it('R1.6 placeholders between results do not end the search for outdated results', () => {
    const messages = history(12);
    for (const index of [3, 5, 7])
      Object.assign(/** @type {object} */ (messages[index]), { content: OUTDATED_IN_ENGLISH });
    const report = simplifyOutdatedTerminalResults(messages, { now: NOW });
    assert.deepEqual(report.indices, [1, 9, 11, 13]);
  });

  it('R3b.1 results of tools without a rule are never replaced', () => {
    const stored = history(30, 'mcp__memory__search');
    const { messages, report } = prepareMessages(stored, { now: NOW, textSearch: true });
    assert.equal(report.changed, 0);
    assert.ok(messages.every((message, index) => message === stored[index]));
  });

  it('EDGE 29 a base64 image is removed from the JSON of its tool result', () => {
    const image = 'iVBORw0KGgo'.repeat(2000);
    const content = sanitizeToolResultsJson(
      JSON.stringify([{ toolCallId: 'a', success: true, metadata: { preview: image } }]),
    );
    assert.ok(content.length < 200 && content.includes('[LARGE_DATA_FILTERED: '), content.slice(0, 80));
  });
});
