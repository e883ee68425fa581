// @ts-check
/** `expandHistory` restores the original messages after summaries and cuts, and reports damaged records. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  DamagedHistoryError,
  expandHistory,
  FULL,
  managerWith,
  NOW,
  noticeIn,
  OVER,
  processed,
  scripted,
  session,
  summary,
  summaryIn,
  throughJson,
} from '../../support/compression.mjs';

const RULES = 'Rules: never touch main.';
const pin = (/** @type {any} */ message) => message?.content === RULES;

/**
 * A session after these summaries and cuts, and its original messages.
 * @param {('summary' | 'cut')[]} rounds
 * @param {{ reload?: boolean, options?: any, tokens?: number }} [how] `reload`: saved and loaded after each round;
 *   `tokens`: the application's count on each message
 */
async function compressedInRounds(rounds, { reload = false, options = {}, tokens } = {}) {
  let round = 0;
  const model = scripted(() =>
    rounds[round] === 'cut' ? Promise.reject(new Error('away')) : summary(`round ${round}`),
  );
  const { manager } = managerWith({ model, options });
  let messages = session(100);
  messages.push({ role: 'user', content: RULES });
  const history = structuredClone(messages);
  for (; round < rounds.length; round++) {
    const size = rounds[round] === 'cut' ? OVER : FULL;
    const later = session(size, { from: 1_000 * (round + 1) }).slice(2);
    for (const message of later) if (tokens !== undefined) message.tokens = tokens;
    messages.push(...later);
    history.push(...structuredClone(later));
    const count = messages.length;
    await manager.process(messages, { now: NOW + round * 1_000_000 });
    assert.ok(messages.length < count, `round ${round} changed nothing`);
    if (reload) messages = throughJson(messages);
  }
  return { messages, history };
}

describe('R7.8 expandHistory', () => {
  /** @type {[string, ('summary' | 'cut')[]][]} */
  const roundsByName = [
    ['one summary', ['summary']],
    ['two summaries', ['summary', 'summary']],
    ['three summaries', ['summary', 'summary', 'summary']],
    ['four summaries', ['summary', 'summary', 'summary', 'summary']],
    ['one cut', ['cut']],
    ['two cuts', ['cut', 'cut']],
    ['a summary and a cut', ['summary', 'cut']],
    ['a cut and a summary', ['cut', 'summary']],
    ['summaries and cuts in turn', ['summary', 'cut', 'summary', 'cut']],
  ];
  for (const [name, rounds] of roundsByName) {
    it(`R7.8 expandHistory restores the history after ${name}`, async () => {
      const { messages, history } = await compressedInRounds(rounds);
      assert.deepEqual(expandHistory(messages), history);
    });

    it(`R7.8 expandHistory restores the history after ${name}, each saved and loaded`, async () => {
      const { messages, history } = await compressedInRounds(rounds, { reload: true });
      assert.deepEqual(expandHistory(messages), history);
    });

    it(`R7.8 expandHistory restores the history after ${name} with a pinned message`, async () => {
      const { messages, history } = await compressedInRounds(rounds, { reload: true, options: { pin } });
      assert.equal(messages.filter(pin).length, 1);
      assert.deepEqual(expandHistory(messages), history);
    });

    it(`R7.8 expandHistory restores the token counts of messages after ${name}`, async () => {
      const { messages, history } = await compressedInRounds(rounds, { tokens: 55 });
      assert.deepEqual(expandHistory(messages), history);
    });
  }

  it('R7.8 expandHistory modifies nothing and returns the same history again', async () => {
    const { messages, history } = await compressedInRounds(['summary', 'cut']);
    const before = structuredClone(messages);
    assert.deepEqual(expandHistory(messages), history);
    assert.deepEqual(expandHistory(messages), history);
    assert.deepEqual(messages, before);
  });

  it('R7.8 expandHistory returns a new array of the same objects if nothing was compressed', () => {
    const messages = session();
    const back = expandHistory(messages);
    assert.notEqual(back, messages);
    assert.ok(back.every((/** @type {any} */ message, /** @type {number} */ at) => message === messages[at]));
    assert.deepEqual(expandHistory([]), []);
  });

  it('R7.8 expandHistory restores a result that a cut shortened', async () => {
    const messages = session(9_000, { words: 4_000 });
    const { before } = await processed(messages, { model: scripted(new Error('away')) });
    assert.ok(messages.some(({ beforeCompression }) => beforeCompression?.fields?.content !== undefined));
    assert.deepEqual(expandHistory(throughJson(messages)), before);
  });

  it('R7.8 expandHistory restores a result that was shortened and then summarised', async () => {
    // One call with its result isn't summarised, so the result is shortened.
    const messages = session(4_000, { words: 4_000 });
    const { manager, before } = await processed(messages);
    assert.equal(manager.stats().shortened, 1);
    const later = session(FULL, { from: 800 }).slice(2);
    messages.push(...later);
    await manager.process(messages, { now: NOW + 1 });
    assert.equal(manager.stats().compressed, 1);
    assert.deepEqual(expandHistory(throughJson(messages)), [...before, ...later]);
  });
});

describe('R7.8 a damaged record', () => {
  /** A saved session with a summary that `damage` changes. @param {(record: any, message: any) => void} damage */
  async function damaged(damage) {
    const { messages } = await processed(session());
    const copy = throughJson(messages);
    damage(summaryIn(copy).compression, summaryIn(copy));
    return copy;
  }

  /** @type {[string, (record: any, message: any) => void][]} */
  const damages = [
    ['has no messages', (record) => delete record.originalMessages],
    [
      'has null as messages',
      (record) => {
        record.originalMessages = null;
      },
    ],
    [
      'has a string as messages',
      (record) => {
        record.originalMessages = '[…]';
      },
    ],
    [
      'has fewer messages than messageCount',
      (record) => {
        record.originalMessages.pop();
      },
    ],
    [
      'has more messages than messageCount',
      (record) => {
        record.originalMessages.push({ role: 'user', content: 'x' });
      },
    ],
    [
      'names an archive that was not passed',
      (record) => {
        delete record.originalMessages;
        record.archive = { sessionId: 's', id: record.id };
      },
    ],
  ];
  for (const [name, damage] of damages) {
    it(`R7.8 for a record that ${name}, expandHistory throws a DamagedHistoryError with the readable messages`, async () => {
      const messages = await damaged(damage);
      assert.throws(
        () => expandHistory(messages),
        (/** @type {any} */ error) => {
          assert.ok(error instanceof DamagedHistoryError);
          assert.match(error.code, /^ERR_(DAMAGED_HISTORY|ARCHIVE_NEEDED)$/);
          assert.match(error.message, /^messages\[1\]\.compression.*expected/);
          assert.equal(error.name, 'DamagedHistoryError');
          assert.deepEqual(error.messages, messages);
          return true;
        },
      );
    });
  }

  it('R7.8 the error for a damaged inner record has the messages of the intact levels', async () => {
    const { messages, manager, before } = await processed(session());
    const later = session(OVER, { from: 700 }).slice(2);
    messages.push(...later);
    await manager.process(messages, { now: NOW + 1 });
    const copy = throughJson(messages);
    const inner = copy[1].compression.originalMessages.find((/** @type {any} */ message) => message.isCompressed);
    copy[1].compression.earlier[0] = null;
    assert.throws(
      () => expandHistory(copy),
      (/** @type {any} */ error) => {
        assert.deepEqual(error.messages.slice(-later.length), later);
        assert.ok(error.messages.length < before.length + later.length);
        assert.ok(error.messages.some((/** @type {any} */ message) => message.content === inner.content));
        return true;
      },
    );
  });

  it('R7.8 a session with a damaged record can be compressed or cut again', async () => {
    const messages = await damaged((record) => delete record.originalMessages);
    messages.push(...session(OVER, { from: 900 }).slice(2));
    await processed(messages);
    assert.ok(summaryIn(messages) || noticeIn(messages));
  });

  it('R0.3 expandHistory throws for wrong arguments', () => {
    assert.throws(() => expandHistory(/** @type {any} */ (null)), { code: 'ERR_INVALID_ARG_TYPE' });
    assert.throws(() => expandHistory([], { archive: 'x' }), { code: 'ERR_INVALID_ARG_TYPE' });
  });
});
