// @ts-check
/** Compressions of compressions: what they leave in the array, and what comes back of it. */
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
} from '../../support/compression.mjs';

/** Were each within the next, neither JSON nor a clone could be made of half as many. */
const LEVELS = 4_000;
const RULES = 'Rules: never touch main.';
const saved = (/** @type {any[]} */ messages) => JSON.parse(JSON.stringify(messages));

/** @type {string} */
let folder;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'palimpsest-levels-'));
});
after(() => rmSync(folder, { recursive: true }));

/**
 * A session that was compressed by hand after each of `count` turns. With one clock and one text for all turns, the
 * ids of its compressions are the same, too.
 * @param {number} count
 * @param {{ text?: (turn: number) => string, now?: (turn: number) => number }} [how]
 */
async function compressedBy(count, { text = (turn) => `turn ${turn} `.repeat(60), now = (turn) => NOW + turn } = {}) {
  const manager = new AutoCompressionManager({ autoCompressionKeepRecentCount: 2 }, () => '');
  /** @type {any[]} */
  const messages = [];
  /** @type {any[]} */
  const history = [];
  for (let turn = 0; turn <= count; turn++) {
    const said = [
      { role: 'user', content: text(turn) },
      { role: 'assistant', content: 'done' },
    ];
    messages.push(...said);
    history.push(...said);
    if (turn === 0) continue;
    const { compressed } = await manager.compress(messages, { summary: summary(), now: now(turn) });
    assert.ok(compressed, `turn ${turn}`);
  }
  return { messages, history };
}

/** How deeply objects lie within each other. @param {any} value @returns {number} */
function depthOf(value) {
  if (value === null || typeof value !== 'object') return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

/** What the 0.1 that nested its levels has saved. @param {number} levels */
function nested(levels) {
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
  it(`R7.8 ${LEVELS} compressions can be saved, cloned and expanded`, async () => {
    const { messages, history } = await compressedBy(LEVELS);
    assert.equal(messages[0].compression.level, LEVELS);
    assert.deepEqual(expandHistory(messages), history);
    assert.deepEqual(expandHistory(structuredClone(messages)), history);
    assert.deepEqual(expandHistory(saved(messages)), history);
  });

  it('R7.8 each level adds what it took out and its summary, and nothing a second time', async () => {
    const sizes = [];
    for (const count of [100, 200, 400]) {
      const { messages } = await compressedBy(count);
      sizes.push(JSON.stringify(messages).length / count);
    }
    for (const size of sizes) assert.ok(size < 1.1 * /** @type {number} */ (sizes[0]), sizes.join(' '));
  });

  it('R7.8 of many small turns each level costs a summary, not what the newest record says of all of them', async () => {
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
    const within = [...earlier.flat(), ...originalMessages].filter(({ isCompressed }) => isCompressed);
    assert.ok(within.length > count / 2);
    assert.ok(digest.requests.newest.length > 0, 'the newest record has the digest');
    for (const { content, compression } of within) {
      assert.equal(compression.digest, undefined);
      assert.ok(content.length > 0 && compression.tokensBefore > 0, 'its text and figures stay');
    }
    const size = JSON.stringify(messages).length / count;
    assert.ok(size < 4_000, `${size} units for each level`);
  });

  it('R7.8 no level lies deeper than the third', async () => {
    const few = await compressedBy(3);
    const many = await compressedBy(40);
    assert.equal(depthOf(many.messages), depthOf(few.messages));
  });

  it('R7.8 compressions of the same text at the same time, which have one id, all come back', async () => {
    const { messages, history } = await compressedBy(300, { text: () => 'again '.repeat(80), now: () => NOW });
    const ids = messages[0].compression.earlier.flat().map((/** @type {any} */ { compression }) => compression?.id);
    assert.ok(new Set(ids).size < 20, 'ids are expected to repeat');
    assert.deepEqual(expandHistory(saved(messages)), history);
  });

  it('R8.1 of every earlier level, summary, figures and messages are there to be shown', async () => {
    const { messages, history } = await compressedBy(5);
    let { originalMessages: list, earlier, level } = messages[0].compression;
    let place = earlier.length;
    for (let below = level; below > 1; below--) {
      const made = list.find((/** @type {any} */ message) => message.isCompressed);
      assert.match(made.content, /## Goal/);
      assert.equal(made.compression.level, below - 1);
      assert.ok(made.compression.tokensBefore > 0 && made.compression.beforeCount > 0);
      place -= made.compression.originalsBack;
      list = earlier[place];
      assert.equal(list.length, made.compression.messageCount);
    }
    assert.deepEqual(list[0], history[0]);
  });

  it('R0.1 a summary that the host holds on to stays as it was when the next one takes it in', async () => {
    const { messages } = await compressedBy(3);
    const [held] = messages;
    const copy = structuredClone(held);
    const manager = new AutoCompressionManager({ autoCompressionKeepRecentCount: 2 }, () => '');
    messages.push({ role: 'user', content: 'x '.repeat(500) }, { role: 'user', content: 'y' });
    assert.ok((await manager.compress(messages, { summary: summary() })).compressed);
    assert.deepEqual(held, copy);
  });

  it('R7.8 levels within levels, as 0.1 saved them, are expanded however deep, and flat after the next compression', async () => {
    for (const levels of [1, 2, 750, 5_000]) {
      const { messages, history } = nested(levels);
      assert.deepEqual(expandHistory(messages), history);
      const more = [
        { role: 'user', content: 'more '.repeat(300) },
        { role: 'assistant', content: 'done' },
        { role: 'user', content: 'and more' },
      ];
      messages.push(...more);
      const manager = new AutoCompressionManager({ autoCompressionKeepRecentCount: 2 }, () => '');
      assert.ok((await manager.compress(messages, { summary: summary() })).compressed);
      assert.deepEqual(expandHistory(saved(messages)), [...history, ...more]);
      assert.equal(messages[0].compression.earlier.length, levels);
    }
  });

  it('R7.8 summaries and cuts in any order, saved or not, pinned, archived or not, give back all', async () => {
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
          const more = session(step.from, { from: 1_000 * (index + 1) }).slice(2);
          messages.push(...more);
          history.push(...structuredClone(more));
          kind = step.kind;
          sink.isOpen = step.isArchived;
          await manager.process(messages, { now: NOW + index * 1_000_000 });
          if (step.isSaved) messages = saved(messages);
          assert.deepEqual(await expandHistory(messages, { archive, sessionId: 's' }), history);
        }
        await archive.close();
      }),
      { numRuns: 25 },
    );
  });
});

/** @param {SessionArchive} archive @param {{ isOpen: boolean }} sink @param {any[]} batch */
function appendTo(archive, { isOpen }, batch) {
  if (!isOpen) throw new Error('the disk is away');
  return archive.append(.../** @type {[string, any]} */ (batch));
}

/** A summary of `originals`. @param {any[]} originals @param {object} [rest] */
const record = (originals, rest) => ({
  role: 'user',
  content: 'summary',
  isCompressed: true,
  compression: { id: 'c', messageCount: originals.length, originalMessages: originals, ...rest },
});

describe('R7.8 crafted records', () => {
  const leaf = { role: 'user', content: 'said' };

  it('R7.8 a record that is named twice is expanded once, however many levels name it twice', () => {
    let message = record([leaf]);
    for (let level = 0; level < 60; level++) message = record([message, message], { id: `c${level}` });
    assert.deepEqual(expandHistory([message]), [leaf]);
    assert.deepEqual(expandHistory([message, leaf, message]), [leaf, leaf]);
  });

  it('R7.8 so are lists of earlier originals that are named twice', () => {
    const earlier = [[leaf]];
    const inner = (/** @type {number} */ back) =>
      record([], { originalMessages: undefined, messageCount: undefined, originalsBack: back });
    for (let level = 0; level < 60; level++) earlier.push([inner(1), inner(1)]);
    assert.deepEqual(expandHistory([record([inner(1), inner(1), inner(61)], { earlier })]), [leaf]);
  });

  it('R7.8 records that hold themselves, over any distance, are an error with a code', () => {
    for (const distance of [1, 2, 50]) {
      /** @type {any[]} */
      const innermost = [leaf];
      let message = record(innermost);
      for (let level = 1; level < distance; level++) message = record([leaf, message]);
      innermost.push(message);
      message.compression.messageCount = message.compression.originalMessages.length;
      const outer = record([message]);
      innermost[1].compression.messageCount = innermost[1].compression.originalMessages.length;
      for (const messages of [[message], [outer]]) {
        assert.throws(() => expandHistory(messages), { code: 'ERR_DAMAGED_HISTORY' });
      }
    }
  });

  it('R7.8 a record that holds itself stands in the way of no compression', async () => {
    /** @type {any[]} */
    const originals = [leaf];
    const message = record(originals);
    originals.push(message);
    const { manager } = managerWith({ config: configuration() });
    const messages = [...session(), message, ...session(FULL, { from: 500 }).slice(2)];
    await manager.process(messages, { now: NOW });
    assert.equal(manager.stats().compressed, 1);
  });

  it('R7.8 a record whose fields throw stands in the way of no compression', async () => {
    for (const field of ['originalMessages', 'earlier', 'originalsBack', 'id']) {
      const message = record([leaf]);
      Object.defineProperty(message.compression, field, {
        enumerable: true,
        get: () => assert.fail('read'),
      });
      const { manager } = managerWith({ config: configuration() });
      const messages = [...session(), message, ...session(FULL, { from: 500 }).slice(2)];
      await manager.process(messages, { now: NOW });
      assert.equal(manager.stats().compressed, 1, field);
    }
  });

  it('R7.8 references to lists that are not before them are an error, not a way round in circles', () => {
    for (const originalsBack of [0, -1, 2, 0.5, Number.NaN, 1e300]) {
      const inner = record([], { originalMessages: undefined, messageCount: undefined, originalsBack });
      assert.throws(() => expandHistory([record([inner], { earlier: [[inner]] })]), { code: 'ERR_DAMAGED_HISTORY' });
    }
  });

  it('R7.8 the messages that are gone through are limited, also by the caller', () => {
    const history = Array.from({ length: 20 }, () => leaf);
    assert.equal(expandHistory([record(history)], { maxMessages: 21 }).length, 20);
    assert.throws(
      () => expandHistory([record(history)], { maxMessages: 20 }),
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

  it('R7.8 whatever a record holds, expanding it ends in messages or in an error with a code', () => {
    const odd = fc.letrec((tie) => ({
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
        fc.constant(leaf),
        fc.record({ role: fc.constant('user'), isCompressed: fc.constant(true), compression: tie('record') }),
      ),
    }));
    fc.assert(
      fc.property(fc.array(/** @type {fc.Arbitrary<any>} */ (odd.message)), (messages) => {
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
