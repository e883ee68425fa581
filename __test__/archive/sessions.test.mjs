// @ts-check
/** The session in an archive comes from the options, never from a message. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import { inspect } from 'node:util';
import { SessionArchive } from 'palimpsest';
import { AutoCompressionManager, expandHistory, NOW, summary } from '../support/compression.mjs';

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-sessions-'));
let files = 0;
/** @type {SessionArchive} */
let archive;
beforeEach(() => {
  archive = new SessionArchive(join(folder, `${files++}.db`));
});
afterEach(() => archive.close());
after(() => rmSync(folder, { recursive: true }));

/** A summary whose originals are in the archive. @param {string} sessionId @param {string} id @param {object} [rest] */
const summaryIn = (sessionId, id, rest) => ({
  role: 'user',
  content: 'a summary',
  isCompressed: true,
  compressedAt: NOW,
  compression: { id, level: 1, kind: 'summary', archive: { sessionId, id }, ...rest },
});

const userMessages = () => Array.from({ length: 12 }, (_, at) => ({ role: 'user', content: `mine ${at} `.repeat(50) }));

/** @param {string} session @param {any[]} messages */
const appendBatch = (session, messages) =>
  archive.append(session, { id: 'c1', kind: 'summary', level: 1, at: NOW, messages });

describe('sessions in an archive', () => {
  it('R15.4 compression writes to the session of its options, even if a message names another one', async () => {
    const messages = [summaryIn('victim', 'c1'), ...userMessages()];
    const manager = new AutoCompressionManager({}, () => '', null, { archive, sessionId: 'mine' });
    assert.ok((await manager.compress(messages, { summary: summary() })).compressed);
    assert.deepEqual(
      (await archive.sessions()).map(({ sessionId }) => sessionId),
      ['mine'],
    );
    const { handler } = archive.lookupTool({ sessionId: 'victim', language: 'en' });
    assert.match(await handler({ query: 'mine' }), /No message matches/);
  });

  it('R0.3 a manager with an archive and without a valid `sessionId` throws', () => {
    const make = (/** @type {any} */ options) => () => new AutoCompressionManager({}, () => '', null, options);
    assert.throws(make({ archive }), {
      name: 'TypeError',
      code: 'ERR_INVALID_ARG_TYPE',
      message: /options\.sessionId/,
    });
    assert.throws(make({ archive, sessionId: null }), { code: 'ERR_INVALID_ARG_TYPE' });
    assert.throws(make({ archive, sessionId: '' }), { code: 'ERR_OUT_OF_RANGE' });
    make({ archive, sessionId: 's' })();
    make({ archive: null })();
  });

  it('R15.4 expandHistory rejects a record that names another session, at any level', async () => {
    await appendBatch('victim', [{ role: 'user', content: 'a secret' }]);
    await appendBatch('mine', [summaryIn('victim', 'c1')]);
    /** @type {string[]} */
    const requestedSessions = [];
    const source = {
      get: (/** @type {string} */ session, /** @type {string} */ id) => {
        requestedSessions.push(session);
        return archive.get(session, id);
      },
    };
    for (const messages of [
      [summaryIn('victim', 'c1')],
      [summaryIn('mine', 'c1')],
      [summaryIn('mine', 'c2', { originalMessages: [summaryIn('victim', 'c1')], archive: undefined })],
    ]) {
      await assert.rejects(
        expandHistory(messages, { archive: source, sessionId: 'mine' }),
        (/** @type {any} */ error) => {
          assert.equal(error.code, 'ERR_FOREIGN_SESSION');
          assert.match(
            error.message,
            /^messages\[0\]\.compression\.archive: expected the session of options\.sessionId/,
          );
          assert.ok(!inspect(error, { depth: 9 }).includes('secret') && !error.message.includes('victim'));
          return true;
        },
      );
    }
    assert.ok(!requestedSessions.includes('victim'));
  });

  it('R15.4 expandHistory reads several sessions only if `sessionId` lists them', async () => {
    await appendBatch('old', [{ role: 'user', content: 'first' }]);
    await appendBatch('new', [summaryIn('old', 'c1'), { role: 'user', content: 'second' }]);
    const history = await expandHistory([summaryIn('new', 'c1')], { archive, sessionId: ['old', 'new'] });
    assert.deepEqual(
      history.map((/** @type {any} */ { content }) => content),
      ['first', 'second'],
    );
    await assert.rejects(expandHistory([summaryIn('new', 'c1')], { archive, sessionId: 'new' }), {
      code: 'ERR_FOREIGN_SESSION',
    });
  });

  it('R0.3 expandHistory with an archive and without a valid `sessionId` throws', () => {
    const wrong = { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' };
    for (const sessionId of [undefined, null, 7, [7], {}]) {
      assert.throws(() => expandHistory([], { archive, sessionId }), wrong);
    }
    assert.throws(() => expandHistory([], { archive, sessionId: '' }), { code: 'ERR_OUT_OF_RANGE' });
  });

  it('R7.8 expandHistory restores a batch once if two records name it, through 40 levels', async () => {
    await archive.append('s', {
      id: 'b0',
      kind: 'summary',
      level: 1,
      at: NOW,
      messages: [{ role: 'user', content: 'x' }],
    });
    for (let level = 1; level <= 40; level++) {
      const twice = [summaryIn('s', `b${level - 1}`), summaryIn('s', `b${level - 1}`)];
      await archive.append('s', { id: `b${level}`, kind: 'summary', level, at: NOW, messages: twice });
    }
    const history = await expandHistory([summaryIn('s', 'b40')], { archive, sessionId: 's' });
    assert.deepEqual(history, [{ role: 'user', content: 'x' }]);
  });

  it('R7.8 batches that name each other are ERR_DAMAGED_HISTORY', async () => {
    for (const [id, other] of [
      ['a', 'b'],
      ['b', 'a'],
    ]) {
      const messages = [summaryIn('s', /** @type {string} */ (other))];
      await archive.append('s', { id: /** @type {string} */ (id), kind: 'summary', level: 1, at: NOW, messages });
    }
    await assert.rejects(expandHistory([summaryIn('s', 'a')], { archive, sessionId: 's' }), {
      code: 'ERR_DAMAGED_HISTORY',
    });
  });

  it('R7.8 expandHistory reads 70 batches in three calls, and names one that can’t be read', async () => {
    const count = 70;
    for (let at = 0; at < count; at++) {
      const messages = [{ role: 'user', content: `original ${at}` }];
      await archive.append('mine', { id: `c${at}`, kind: 'summary', level: 1, at: NOW, messages });
    }
    const messages = Array.from({ length: count }, (_, at) => summaryIn('mine', `c${at}`));
    /** @type {string[]} */
    const calls = [];
    const counted =
      (/** @type {'get' | 'getMany'} */ method) =>
      (/** @type {[any, any]} */ ...given) => {
        calls.push(method);
        return archive[method](...given);
      };
    const counting = { get: counted('get'), getMany: counted('getMany') };
    const originals = messages.map((_, at) => ({ role: 'user', content: `original ${at}` }));
    assert.deepEqual(await expandHistory(messages, { archive: counting, sessionId: 'mine' }), originals);
    assert.deepEqual(calls, ['getMany', 'getMany', 'getMany']);
    for (const getMany of [() => Promise.reject(new Error('gone')), async () => []]) {
      const source = { ...counting, getMany };
      assert.deepEqual(await expandHistory(messages, { archive: source, sessionId: 'mine' }), originals);
    }
    const unknown = [...messages.slice(0, 2), summaryIn('mine', 'unknown'), summaryIn('victim', 'c1')];
    await assert.rejects(
      expandHistory(unknown, { archive: counting, sessionId: 'mine' }),
      (/** @type {any} */ error) => {
        assert.match(error.message, /^messages\[2\]/);
        assert.equal(error.cause.code, 'ARCHIVE_NOT_FOUND');
        assert.deepEqual(error.messages.slice(0, 2), originals.slice(0, 2));
        return true;
      },
    );
  });

  it('`maxMessages` of expandHistory includes messages from the archive', async () => {
    await appendBatch('s', userMessages());
    const messages = [summaryIn('s', 'c1')];
    assert.equal((await expandHistory(messages, { archive, sessionId: 's', maxMessages: 13 })).length, 12);
    await assert.rejects(expandHistory(messages, { archive, sessionId: 's', maxMessages: 12 }), {
      code: 'ERR_HISTORY_TOO_LONG',
    });
  });

  it('a printed error of expandHistory shows no message', () => {
    const messages = [{ role: 'user', content: 'a secret' }, summaryIn('s', 'c1')];
    assert.throws(
      () => expandHistory(messages),
      (/** @type {any} */ error) => {
        assert.equal(error.messages.length, 2);
        assert.ok(!inspect(error).includes('secret'));
        return true;
      },
    );
  });
});
