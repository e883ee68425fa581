// @ts-check
/** SessionArchive.lookupTool: the tool with which a model reads compressed messages. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { SessionArchive, TokenCounter } from 'palimpsest';

const counter = new TokenCounter();
const IMAGE = 'iVBORw0KGgo4'.repeat(300);
const LONG = `${'filler text '.repeat(2000)}the port is 48213 here${' more filler'.repeat(2000)}`;

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-lookup-'));
const archive = new SessionArchive(join(folder, 'history.db'));

before(async () => {
  await archive.append('s', {
    id: 'c1',
    kind: 'summary',
    level: 1,
    at: Date.UTC(2026, 0, 2),
    messages: [
      { role: 'user', content: '请把压缩阈值设为 0.75', timestamp: Date.UTC(2026, 0, 1) },
      { role: 'assistant', content: [{ type: 'image', source: { type: 'base64', data: IMAGE } }] },
      { role: 'tool', content: LONG },
      { role: 'tool', content: `{"screenshot":"${IMAGE}","title":"dashboard"}` },
    ],
  });
  await archive.append('t', {
    id: 'c1',
    kind: 'truncation',
    level: 1,
    at: 0,
    messages: [{ content: 'dashboard of t' }],
  });
});
after(async () => {
  await archive.close();
  rmSync(folder, { recursive: true });
});

describe('the lookup tool', () => {
  it('has definitions for OpenAI and Anthropic, in both languages', () => {
    for (const language of /** @type {const} */ (['zh', 'en'])) {
      const { name, definition, anthropicDefinition } = archive.lookupTool({ sessionId: 's', language });
      assert.equal(name, 'lookup_compressed_history');
      assert.equal(definition.type, 'function');
      assert.equal(definition.function.name, name);
      assert.equal(anthropicDefinition.name, name);
      assert.deepEqual(anthropicDefinition.input_schema, definition.function.parameters);
      assert.deepEqual(Object.keys(definition.function.parameters.properties), ['query', 'id', 'from', 'count']);
      assert.equal(/[\u4e00-\u9fff]/.test(definition.function.description), language === 'zh');
    }
    assert.ok('session' in archive.lookupTool({ allSessions: true }).definition.function.parameters.properties);
    assert.equal(archive.lookupTool({ sessionId: 's', name: 'recall' }).definition.function.name, 'recall');
  });

  it('EDGE 35 returns messages of the batch with an id that a summary names', async () => {
    const { handler } = archive.lookupTool({ sessionId: 's', language: 'en' });
    const answer = await handler({ id: 'c1', count: 1 });
    assert.match(answer, /Record c1 has 4 messages; here are 0 to 0/);
    assert.match(answer, /\[1\] user · 2026-01-01T00:00:00\.000Z · message 0\n请把压缩阈值设为 0\.75/);
    assert.match(answer, /from=1/);
  });

  it('shows a message’s time from each field and in each form', async () => {
    const timesArchive = new SessionArchive(join(folder, 'times.db'));
    const day = '2026-01-03T00:00:00.000Z';
    const times = [
      { timestamp: day },
      { createdAt: day },
      { timestamp: Date.parse(day) / 1000 },
      { created_at: Date.parse(day) },
    ];
    const messages = times.map((time) => ({ role: 'user', content: 'when?', ...time }));
    await timesArchive.append('s', { id: 'c1', kind: 'summary', level: 1, at: 0, messages });
    const answer = await timesArchive.lookupTool({ sessionId: 's', language: 'en' }).handler({ id: 'c1' });
    await timesArchive.close();
    assert.equal(answer.split(`user · ${day}`).length - 1, times.length);
  });

  it('accepts JSON text, numbers as text, and numbers out of range', async () => {
    const { handler } = archive.lookupTool({ sessionId: 's', language: 'en' });
    const read = await handler('{"id":"c1","from":"1","count":"1"}');
    assert.match(read, /here are 1 to 1/);
    assert.match(read, /assistant · 2026-01-02T00:00:00\.000Z · message 1\n\(no text\)/);
    assert.match(await handler({ id: 'c1', from: -3, count: 99 }), /here are 0 to 3/);
    assert.match(await handler({ id: 'c1', from: 9 }), /there is nothing from 9 on/);
  });

  it('answers a query with the role, time, id and index of each message', async () => {
    const { handler } = archive.lookupTool({ sessionId: 's', language: 'zh' });
    const answer = await handler({ query: '压缩 0.75' });
    assert.match(answer, /找到 1 条消息/);
    assert.match(answer, /\[1\] user · 2026-01-01T00:00:00\.000Z · id c1 · 第 0 条\n请把压缩阈值设为 0\.75/);
    assert.match(await handler({ query: 'nothing like it' }), /没有找到/);
  });

  it('EDGE 31 shows the matching part of a long message, within `maxTokens`', async () => {
    const tool = archive.lookupTool({ sessionId: 's', language: 'en', maxTokens: 300 });
    const answer = await tool.handler({ query: '48213' });
    assert.match(answer, /the port is 48213 here/);
    assert.ok(counter.count(answer) <= 300);
  });

  it('R15.4 searches only its session, and with `allSessions` names the sessions and requires one for an id', async () => {
    const answer = await archive.lookupTool({ sessionId: 't', language: 'en' }).handler({ query: 'dashboard' });
    assert.match(answer, /Messages found: 1\./);
    assert.doesNotMatch(answer, /session t/);
    const { handler } = archive.lookupTool({ allSessions: true, language: 'en' });
    const both = await handler({ query: 'dashboard' });
    assert.match(both, /session s · id c1/);
    assert.match(both, /session t · id c1/);
    assert.match(await handler({ id: 'c1' }), /Give session as well/);
    assert.match(await handler({ id: 'c1', session: 't' }), /dashboard of t/);
    const tool = archive.lookupTool({ sessionId: 't', language: 'en' });
    assert.match(await tool.handler({ id: 'c1', session: 's' }), /dashboard of t/);
  });

  it('EDGE 29 answers with at most `maxTokens` tokens, and never with base64', async () => {
    for (const maxTokens of [100, 500, 2000]) {
      const { handler } = archive.lookupTool({ sessionId: 's', language: 'en', maxTokens });
      for (const args of [{ id: 'c1' }, { query: 'dashboard' }, { query: 'filler' }, { id: 'c1', from: 1 }]) {
        const answer = await handler(args);
        assert.ok(counter.count(answer) <= maxTokens, `${counter.count(answer)} of ${maxTokens}`);
        assert.ok(!answer.includes('iVBORw0KGgo4'));
      }
    }
  });

  it('answers any wrong arguments with a text', async () => {
    const { handler } = archive.lookupTool({ sessionId: 's', language: 'en' });
    for (const args of [
      undefined,
      null,
      7,
      '',
      '{',
      '[]',
      '{}',
      { query: ' ' },
      { query: 3 },
      { query: 'x'.repeat(2000) },
    ]) {
      assert.match(await handler(args), /^Wrong arguments\. Give query/);
    }
    assert.match(await handler({ id: 'unknown' }), /no compression record with this id/);
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.anything(), fc.json(), fc.record({ query: fc.string(), from: fc.anything() })),
        async (args) => {
          assert.equal(typeof (await handler(args)), 'string');
        },
      ),
      { numRuns: 100 },
    );
  });

  it('answers with the error’s code if the archive cannot be read', async () => {
    const path = join(folder, 'other.txt');
    writeFileSync(path, 'not an archive');
    const other = new SessionArchive(path);
    assert.match(
      await other.lookupTool({ sessionId: 's', language: 'en' }).handler({ query: 'x' }),
      /ARCHIVE_NOT_A_DATABASE/,
    );
    await other.close();
    assert.match(await other.lookupTool({ sessionId: 's' }).handler({ query: 'x' }), /ARCHIVE_CLOSED/);
  });

  it('R15.4 throws without `sessionId` and `allSessions: true`', () => {
    const any = /** @type {any} */ (archive);
    for (const options of [
      undefined,
      null,
      {},
      { allSessions: false },
      { sessionId: undefined },
      { sessionId: null },
    ]) {
      assert.throws(() => any.lookupTool(options), { code: 'ERR_INVALID_ARG_TYPE', message: /options\.sessionId/ });
    }
  });

  it('R0.3 throws for wrong options', () => {
    const any = /** @type {any} */ (archive);
    for (const options of [
      { name: 'a b' },
      { language: 'fr' },
      { maxResults: 0 },
      { maxTokens: 99 },
      { sessionId: '' },
      { sessionId: 's', allSessions: true },
    ].map((options) => ({ sessionId: 's', ...options }))) {
      assert.throws(() => any.lookupTool(options), { name: 'RangeError', code: 'ERR_OUT_OF_RANGE' });
    }
    const wrong = [{ name: 1 }, { language: 1 }, { maxTokens: '1' }, { sessionId: 1 }, { allSessions: 1 }];
    for (const options of [...wrong.map((given) => ({ sessionId: 's', ...given })), 'x']) {
      assert.throws(() => any.lookupTool(options), { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' });
    }
  });
});
