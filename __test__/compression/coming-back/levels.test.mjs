// @ts-check
/** Compressions of compressions: the size and depth of their records, and the history that they restore. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { SessionArchive } from 'palimpsest';
import {
  AutoCompressionManager,
  configuration,
  expandHistory,
  FULL,
  managerWith,
  NOW,
  OVER,
  scripted,
  session,
  summary,
  throughJson,
} from '../../support/compression.mjs';

/** If each record contained the previous one, JSON and structuredClone would fail for half as many. */
const LEVELS = 4_000;
const RULES = 'Rules: never touch main.';

/** @type {string} */
let folder;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'palimpsest-levels-'));
});
after(() => rmSync(folder, { recursive: true }));

/**
 * A session that was compressed by hand after each of `levels` turns. With the same time and text for all turns, the
 * compressions have the same id.
 * @param {number} levels
 * @param {{ text?: (turn: number) => string, now?: (turn: number) => number }} [how]
 */
async function compressedToLevel(
  levels,
  { text = (turn) => `turn ${turn} `.repeat(60), now = (turn) => NOW + turn } = {},
) {
  const manager = new AutoCompressionManager({ autoCompressionKeepRecentCount: 2 }, () => '');
  /** @type {any[]} */
  const messages = [];
  /** @type {any[]} */
  const history = [];
  for (let turn = 0; turn <= levels; turn++) {
    const messagesOfTurn = [
      { role: 'user', content: text(turn) },
      { role: 'assistant', content: 'done' },
    ];
    messages.push(...messagesOfTurn);
    history.push(...messagesOfTurn);
    if (turn === 0) continue;
    const { compressed } = await manager.compress(messages, { summary: summary(), now: now(turn) });
    assert.ok(compressed, `turn ${turn}`);
  }
  return { messages, history };
}

/** The depth of nested objects. @param {any} value @returns {number} */
function depthOf(value) {
  if (value === null || typeof value !== 'object') return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

/** A session as version 0.1 saved it, each record within the next. @param {number} levels */
function savedByFirstVersion(levels) {
  /** @type {any} */
  let message = { role: 'user', content: 'the first' };
  const history = [message];
  for (let level = 1; level <= levels; level++) {
    const next = { role: 'user', content: `after ${level}` };
    const compression = { id: `n${level}`, level, kind: 'summary', messageCount: 2, originalMessages: [message, next] };
    history.push(next);
    message = { role: 'user', content: `summary ${level}`, isCompressed: true, compressedAt: NOW, compression };
  }
  return { messages: [message], history };
}

describe('R7.8 levels of compression', () => {
  it(`R7.8 a session after ${LEVELS} compressions can be saved, cloned and expanded`, async () => {
    const { messages, history } = await compressedToLevel(LEVELS);
    assert.equal(messages[0].compression.level, LEVELS);
    assert.deepEqual(expandHistory(messages), history);
    assert.deepEqual(expandHistory(structuredClone(messages)), history);
    assert.deepEqual(expandHistory(throughJson(messages)), history);
  });

  it('R7.8 the saved size grows linearly with the number of compressions', async () => {
    const sizes = [];
    for (const count of [100, 200, 400]) {
      const { messages } = await compressedToLevel(count);
      sizes.push(JSON.stringify(messages).length / count);
    }
    for (const size of sizes) assert.ok(size < 1.1 * /** @type {number} */ (sizes[0]), sizes.join(' '));
  });

  it('R7.8 only the newest record has a digest, so that a level of a small turn takes less than 4,000 units', async () => {
    const manager = new AutoCompressionManager(configuration({ autoCompressionKeepRecentCount: 2 }), scripted());
    /** @type {any[]} */
    const messages = [];
    const count = 150;
    for (let level = 0; level <= count; level++) {
      for (const half of [0, 1]) {
        const content = `question ${level}.${half} about src/file-${level}.ts ${'word '.repeat(30)}`;
        messages.push({ role: 'user', content }, { role: 'assistant', content: 'answer '.repeat(30) });
      }
      await manager.compress(messages, { summary: summary(), now: NOW });
    }
    const at = messages.findIndex(({ isCompressed }) => isCompressed);
    const { digest, earlier, originalMessages } = messages[at].compression;
    const earlierSummaries = [...earlier.flat(), ...originalMessages].filter(({ isCompressed }) => isCompressed);
    assert.ok(earlierSummaries.length > count / 2);
    assert.ok(digest.requests.newest.length > 0, 'the newest record has no digest');
    for (const { content, compression } of earlierSummaries) {
      assert.equal(compression.digest, undefined);
      assert.ok(content.length > 0 && compression.tokensBefore > 0, 'an earlier summary lost its text or figures');
    }
    const size = JSON.stringify(messages).length / count;
    assert.ok(size < 4_000, `${size} units for each level`);
  });

  it('R7.8 the records of 40 levels are nested no deeper than those of 3', async () => {
    const few = await compressedToLevel(3);
    const many = await compressedToLevel(40);
    assert.equal(depthOf(many.messages), depthOf(few.messages));
  });

  it('R7.8 compressions with the same id, time and text are all restored', async () => {
    const { messages, history } = await compressedToLevel(300, { text: () => 'again '.repeat(80), now: () => NOW });
    const ids = messages[0].compression.earlier.flat().map((/** @type {any} */ { compression }) => compression?.id);
    assert.ok(new Set(ids).size < 20, 'ids are expected to repeat');
    assert.deepEqual(expandHistory(throughJson(messages)), history);
  });

  it('R8.1 the newest record has the summary, figures and original messages of every earlier level', async () => {
    const { messages, history } = await compressedToLevel(5);
    let { originalMessages, earlier, level } = messages[0].compression;
    let index = earlier.length;
    for (let below = level; below > 1; below--) {
      const earlierSummary = originalMessages.find((/** @type {any} */ message) => message.isCompressed);
      assert.match(earlierSummary.content, /## Goal/);
      assert.equal(earlierSummary.compression.level, below - 1);
      assert.ok(earlierSummary.compression.tokensBefore > 0 && earlierSummary.compression.beforeCount > 0);
      index -= earlierSummary.compression.originalsBack;
      originalMessages = earlier[index];
      assert.equal(originalMessages.length, earlierSummary.compression.messageCount);
    }
    assert.deepEqual(originalMessages[0], history[0]);
  });

  it('R0.1 the next compression leaves the object of the earlier summary unmodified', async () => {
    const { messages } = await compressedToLevel(3);
    const [firstSummary] = messages;
    const copy = structuredClone(firstSummary);
    const manager = new AutoCompressionManager({ autoCompressionKeepRecentCount: 2 }, () => '');
    messages.push({ role: 'user', content: 'x '.repeat(500) }, { role: 'user', content: 'y' });
    assert.ok((await manager.compress(messages, { summary: summary() })).compressed);
    assert.deepEqual(firstSummary, copy);
  });

  it('R7.8 nested records of version 0.1 are expanded at any depth, and flattened by the next compression', async () => {
    for (const levels of [1, 2, 750, 5_000]) {
      const { messages, history } = savedByFirstVersion(levels);
      assert.deepEqual(expandHistory(messages), history);
      const later = [
        { role: 'user', content: 'more '.repeat(300) },
        { role: 'assistant', content: 'done' },
        { role: 'user', content: 'and more' },
      ];
      messages.push(...later);
      const manager = new AutoCompressionManager({ autoCompressionKeepRecentCount: 2 }, () => '');
      assert.ok((await manager.compress(messages, { summary: summary() })).compressed);
      assert.deepEqual(expandHistory(throughJson(messages)), [...history, ...later]);
      assert.equal(messages[0].compression.earlier.length, levels);
    }
  });

  it('R7.8 expandHistory restores random sequences of summaries and cuts, with or without saving, pins and archive', async () => {
    const rounds = fc.array(
      fc.record({
        kind: fc.constantFrom('summary', 'cut'),
        isSaved: fc.boolean(),
        isArchived: fc.boolean(),
        from: fc.constantFrom(FULL, OVER),
      }),
      { minLength: 1, maxLength: 7 },
    );
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(rounds, fc.boolean(), async (steps, isPinned) => {
        const archive = new SessionArchive(join(folder, `${runs++}.db`));
        const sink = { isOpen: true, append: (/** @type {any[]} */ ...batch) => appendTo(archive, sink, batch) };
        let kind = '';
        const model = scripted(() => (kind === 'cut' ? Promise.reject(new Error('away')) : summary()));
        const pin = (/** @type {any} */ message) => isPinned && message?.content === RULES;
        const { manager } = managerWith({ model, options: { pin, archive: sink, sessionId: 's' } });
        let messages = [...session(100), { role: 'user', content: RULES }];
        const history = structuredClone(messages);
        for (const [index, step] of steps.entries()) {
          const later = session(step.from, { from: 1_000 * (index + 1) }).slice(2);
          messages.push(...later);
          history.push(...structuredClone(later));
          kind = step.kind;
          sink.isOpen = step.isArchived;
          await manager.process(messages, { now: NOW + index * 1_000_000 });
          if (step.isSaved) messages = throughJson(messages);
          assert.deepEqual(await expandHistory(messages, { archive, sessionId: 's' }), history);
        }
        await archive.close();
      }),
      { numRuns: 25 },
    );
  });
});

/** Appends to the archive, or fails if the sink isn't open. @param {SessionArchive} archive @param {{ isOpen: boolean }} sink @param {any[]} batch */
function appendTo(archive, { isOpen }, batch) {
  if (!isOpen) throw new Error('the disk is full');
  return archive.append(.../** @type {[string, any]} */ (batch));
}

/** A summary with these original messages. @param {any[]} originals @param {object} [rest] */
const summaryOf = (originals, rest) => ({
  role: 'user',
  content: 'summary',
  isCompressed: true,
  compression: { id: 'c', messageCount: originals.length, originalMessages: originals, ...rest },
});

describe('R7.8 crafted records', () => {
  const original = { role: 'user', content: 'original' };

  it('R7.8 a summary that 60 levels contain twice is expanded once', () => {
    let message = summaryOf([original]);
    for (let level = 0; level < 60; level++) message = summaryOf([message, message], { id: `c${level}` });
    assert.deepEqual(expandHistory([message]), [original]);
    assert.deepEqual(expandHistory([message, original, message]), [original, original]);
  });

  it('R7.8 lists of originals that 60 levels refer to twice are expanded once', () => {
    const earlier = [[original]];
    const inner = (/** @type {number} */ back) =>
      summaryOf([], { originalMessages: undefined, messageCount: undefined, originalsBack: back });
    for (let level = 0; level < 60; level++) earlier.push([inner(1), inner(1)]);
    assert.deepEqual(expandHistory([summaryOf([inner(1), inner(1), inner(61)], { earlier })]), [original]);
  });

  it('R7.8 expandHistory throws ERR_DAMAGED_HISTORY for a record that contains itself, directly or through others', () => {
    for (const distance of [1, 2, 50]) {
      /** @type {any[]} */
      const innermost = [original];
      let message = summaryOf(innermost);
      for (let level = 1; level < distance; level++) message = summaryOf([original, message]);
      innermost.push(message);
      message.compression.messageCount = message.compression.originalMessages.length;
      const outer = summaryOf([message]);
      innermost[1].compression.messageCount = innermost[1].compression.originalMessages.length;
      for (const messages of [[message], [outer]]) {
        assert.throws(() => expandHistory(messages), { code: 'ERR_DAMAGED_HISTORY' });
      }
    }
  });

  it('R7.8 a session with a record that contains itself can be compressed', async () => {
    /** @type {any[]} */
    const originals = [original];
    const message = summaryOf(originals);
    originals.push(message);
    const { manager } = managerWith();
    const messages = [...session(), message, ...session(FULL, { from: 500 }).slice(2)];
    await manager.process(messages, { now: NOW });
    assert.equal(manager.stats().compressed, 1);
  });

  it('R7.8 a session with a record whose getters throw can be compressed', async () => {
    for (const field of ['originalMessages', 'earlier', 'originalsBack', 'id']) {
      const message = summaryOf([original]);
      Object.defineProperty(message.compression, field, {
        enumerable: true,
        get: () => assert.fail('read'),
      });
      const { manager } = managerWith();
      const messages = [...session(), message, ...session(FULL, { from: 500 }).slice(2)];
      await manager.process(messages, { now: NOW });
      assert.equal(manager.stats().compressed, 1, field);
    }
  });

  it('R7.8 expandHistory throws ERR_DAMAGED_HISTORY if originalsBack refers to no earlier list', () => {
    for (const originalsBack of [0, -1, 2, 0.5, Number.NaN, 1e300]) {
      const inner = summaryOf([], { originalMessages: undefined, messageCount: undefined, originalsBack });
      assert.throws(() => expandHistory([summaryOf([inner], { earlier: [[inner]] })]), { code: 'ERR_DAMAGED_HISTORY' });
    }
  });

  it('R7.8 expandHistory throws ERR_HISTORY_TOO_LONG above maxMessages, and RangeErrors for arrays that are too long', () => {
    const history = Array.from({ length: 20 }, () => original);
    assert.equal(expandHistory([summaryOf(history)], { maxMessages: 21 }).length, 20);
    assert.throws(
      () => expandHistory([summaryOf(history)], { maxMessages: 20 }),
      (/** @type {any} */ error) => {
        assert.equal(error.code, 'ERR_HISTORY_TOO_LONG');
        assert.equal(error.messages.length, 1);
        return true;
      },
    );
    const sparse = [];
    sparse.length = 2 ** 32 - 1;
    assert.throws(() => expandHistory(sparse), { code: 'ERR_OUT_OF_RANGE' });
    assert.throws(() => expandHistory([], { maxMessages: -1 }), { code: 'ERR_OUT_OF_RANGE' });
    assert.throws(() => expandHistory([], /** @type {any} */ ({ maxMessages: '1' })), { code: 'ERR_INVALID_ARG_TYPE' });
  });

  it('R7.8 for a record of random values expandHistory returns messages or throws an error with a code', () => {
    const random = fc.letrec((tie) => ({
      record: fc.record(
        {
          id: fc.constantFrom('a', 'b', 7),
          originalMessages: fc.oneof(fc.array(tie('message'), { maxLength: 3 }), fc.anything()),
          earlier: fc.oneof(fc.array(fc.array(tie('message'), { maxLength: 2 }), { maxLength: 3 }), fc.anything()),
          originalsBack: fc.oneof(fc.integer({ min: -1, max: 3 }), fc.anything()),
          archive: fc.anything(),
          messageCount: fc.constantFrom(undefined, 1, 2, 'x'),
        },
        { requiredKeys: [] },
      ),
      message: fc.oneof(
        { maxDepth: 5 },
        fc.constant(original),
        fc.record({ role: fc.constant('user'), isCompressed: fc.constant(true), compression: tie('record') }),
      ),
    }));
    fc.assert(
      fc.property(fc.array(/** @type {fc.Arbitrary<any>} */ (random.message)), (messages) => {
        try {
          assert.ok(Array.isArray(expandHistory(messages)));
        } catch (/** @type {any} */ error) {
          assert.match(String(error.code), /^ERR_(DAMAGED_HISTORY|ARCHIVE_NEEDED)$/, error);
        }
      }),
      { numRuns: 300 },
    );
  });
});
