// @ts-check
/** Archives keep sessions apart: the name comes from the options, never from a message. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { inspect } from 'node:util';
import { SessionArchive } from 'palimpsest';
import { AutoCompressionManager, expandHistory, NOW, summary } from '../support/compression.mjs';

/** @type {string} */
let folder;
let files = 0;
/** @type {SessionArchive} */
let archive;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'palimpsest-sessions-'));
});
beforeEach(() => {
  archive = new SessionArchive(join(folder, `${files++}.db`));
});
afterEach(() => archive.close());
after(() => rmSync(folder, { recursive: true }));

/** @param {string} sessionId @param {string} id @param {object} [rest] */
const planted = (sessionId, id, rest) => ({
  role: 'user',
  content: 'a summary',
  isCompressed: true,
  compressedAt: NOW,
  compression: { id, level: 1, kind: 'summary', archive: { sessionId, id }, ...rest },
});

const talk = () => Array.from({ length: 12 }, (_, at) => ({ role: 'user', content: `mine ${at} `.repeat(50) }));

/** @param {string} session @param {any[]} messages */
const batch = (session, messages) =>
  archive.append(session, { id: 'c1', kind: 'summary', level: 1, at: NOW, messages });

describe('R7.8 an archive keeps sessions apart', () => {
  it('R7.8 a message that names a session does not choose where a conversation goes', async () => {
    const messages = [planted('victim', 'c1'), ...talk()];
    const manager = new AutoCompressionManager({}, () => '', null, { archive, sessionId: 'mine' });
    assert.ok((await manager.compress(messages, { summary: summary() })).compressed);
    assert.deepEqual(
      (await archive.sessions()).map(({ sessionId }) => sessionId),
      ['mine'],
    );
    const { handler } = archive.lookupTool({ sessionId: 'victim', language: 'en' });
    assert.match(await handler({ query: 'mine' }), /No message matches/);
  });

  it('R7.8 a manager with an archive says at once when it has no session', () => {
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

  it('R7.8 a forged reference gives nothing of another session, at any level', async () => {
    await batch('victim', [{ role: 'user', content: 'a secret' }]);
    await batch('mine', [planted('victim', 'c1')]);
    /** @type {string[]} */
    const asked = [];
    const source = {
      get: (/** @type {string} */ session, /** @type {string} */ id) => {
        asked.push(session);
        return archive.get(session, id);
      },
    };
    for (const messages of [
      [planted('victim', 'c1')],
      [planted('mine', 'c1')],
      [planted('mine', 'c2', { originalMessages: [planted('victim', 'c1')], archive: undefined })],
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
    assert.ok(!asked.includes('victim'));
  });

  it('R7.8 a host that renamed its session may read several', async () => {
    await batch('old', [{ role: 'user', content: 'first' }]);
    await batch('new', [planted('old', 'c1'), { role: 'user', content: 'second' }]);
    const history = await expandHistory([planted('new', 'c1')], { archive, sessionId: ['old', 'new'] });
    assert.deepEqual(
      history.map((/** @type {any} */ { content }) => content),
      ['first', 'second'],
    );
    await assert.rejects(expandHistory([planted('new', 'c1')], { archive, sessionId: 'new' }), {
      code: 'ERR_FOREIGN_SESSION',
    });
  });

  it('R7.8 an archive without a session is a wrong argument', () => {
    const wrong = { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' };
    for (const sessionId of [undefined, null, 7, [7], {}]) {
      assert.throws(() => expandHistory([], { archive, sessionId }), wrong);
    }
    assert.throws(() => expandHistory([], { archive, sessionId: '' }), { code: 'ERR_OUT_OF_RANGE' });
  });

  it('R7.8 batches that name the one before twice are expanded once', async () => {
    await archive.append('s', {
      id: 'b0',
      kind: 'summary',
      level: 1,
      at: NOW,
      messages: [{ role: 'user', content: 'x' }],
    });
    for (let level = 1; level <= 40; level++) {
      const twice = [planted('s', `b${level - 1}`), planted('s', `b${level - 1}`)];
      await archive.append('s', { id: `b${level}`, kind: 'summary', level, at: NOW, messages: twice });
    }
    const history = await expandHistory([planted('s', 'b40')], { archive, sessionId: 's' });
    assert.deepEqual(history, [{ role: 'user', content: 'x' }]);
  });

  it('R7.8 batches that name each other in a circle are an error with a code', async () => {
    for (const [id, other] of [
      ['a', 'b'],
      ['b', 'a'],
    ]) {
      const messages = [planted('s', /** @type {string} */ (other))];
      await archive.append('s', { id: /** @type {string} */ (id), kind: 'summary', level: 1, at: NOW, messages });
    }
    await assert.rejects(expandHistory([planted('s', 'a')], { archive, sessionId: 's' }), {
      code: 'ERR_DAMAGED_HISTORY',
    });
  });

  it('R7.8 many batches are read in few calls, and one that can’t be read is named', async () => {
    const count = 70;
    for (let at = 0; at < count; at++) {
      const messages = [{ role: 'user', content: `original ${at}` }];
      await archive.append('mine', { id: `c${at}`, kind: 'summary', level: 1, at: NOW, messages });
    }
    const messages = Array.from({ length: count }, (_, at) => planted('mine', `c${at}`));
    /** @type {string[]} */
    const calls = [];
    const counted =
      (/** @type {'get' | 'getMany'} */ method) =>
      (/** @type {[any, any]} */ ...given) => {
        calls.push(method);
        return archive[method](...given);
      };
    const counting = { get: counted('get'), getMany: counted('getMany') };
    const wanted = messages.map((_, at) => ({ role: 'user', content: `original ${at}` }));
    assert.deepEqual(await expandHistory(messages, { archive: counting, sessionId: 'mine' }), wanted);
    assert.deepEqual(calls, ['getMany', 'getMany', 'getMany']);
    for (const getMany of [() => Promise.reject(new Error('gone')), async () => []]) {
      const source = { ...counting, getMany };
      assert.deepEqual(await expandHistory(messages, { archive: source, sessionId: 'mine' }), wanted);
    }
    const unknown = [...messages.slice(0, 2), planted('mine', 'unknown'), planted('victim', 'c1')];
    await assert.rejects(
      expandHistory(unknown, { archive: counting, sessionId: 'mine' }),
      (/** @type {any} */ error) => {
        assert.match(error.message, /^messages\[2\]/);
        assert.equal(error.cause.code, 'ARCHIVE_NOT_FOUND');
        assert.deepEqual(error.messages.slice(0, 2), wanted.slice(0, 2));
        return true;
      },
    );
  });

  it('R7.8 what is fetched counts towards the most messages, too', async () => {
    await batch('s', talk());
    const messages = [planted('s', 'c1')];
    assert.equal((await expandHistory(messages, { archive, sessionId: 's', maxMessages: 13 })).length, 12);
    await assert.rejects(expandHistory(messages, { archive, sessionId: 's', maxMessages: 12 }), {
      code: 'ERR_HISTORY_TOO_LONG',
    });
  });

  it('R7.8 an error that is printed shows no message', () => {
    const messages = [{ role: 'user', content: 'a secret' }, planted('s', 'c1')];
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
