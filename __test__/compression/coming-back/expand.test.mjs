// @ts-check
/** Nothing is lost: what `expandHistory` gives back. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  configuration,
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
} from '../../support/compression.mjs';

const RULES = 'Rules: never touch main.';
const pin = (/** @type {any} */ message) => message?.content === RULES;
const saved = (/** @type {any[]} */ messages) => JSON.parse(JSON.stringify(messages));

/**
 * A session that goes through `rounds` of compressions or truncations, the host saving and loading it in between.
 * @param {('summary' | 'cut')[]} rounds
 * @param {{ reload?: boolean, options?: any, tokens?: number }} [how]
 */
async function journey(rounds, { reload = false, options = {}, tokens } = {}) {
  let round = 0;
  const model = scripted(() =>
    rounds[round] === 'cut' ? Promise.reject(new Error('away')) : summary(`round ${round}`),
  );
  const { manager } = managerWith({ model, options });
  let messages = session(100);
  messages.push({ role: 'user', content: RULES });
  const all = structuredClone(messages);
  for (; round < rounds.length; round++) {
    const size = rounds[round] === 'cut' ? OVER : FULL;
    const more = session(size, { from: 1_000 * (round + 1) }).slice(2);
    for (const message of more) if (tokens !== undefined) message.tokens = tokens;
    messages.push(...more);
    all.push(...structuredClone(more));
    const count = messages.length;
    await manager.process(messages, { now: NOW + round * 1_000_000 });
    assert.ok(messages.length < count, `round ${round} did something`);
    if (reload) messages = saved(messages);
  }
  return { messages, all };
}

describe('R7.8 expandHistory gives back the original', () => {
  /** @type {[string, ('summary' | 'cut')[]][]} */
  const journeys = [
    ['one summary', ['summary']],
    ['two summaries', ['summary', 'summary']],
    ['three summaries', ['summary', 'summary', 'summary']],
    ['four summaries', ['summary', 'summary', 'summary', 'summary']],
    ['one truncation', ['cut']],
    ['two truncations', ['cut', 'cut']],
    ['a summary, then a truncation', ['summary', 'cut']],
    ['a truncation, then a summary', ['cut', 'summary']],
    ['all of it in turn', ['summary', 'cut', 'summary', 'cut']],
  ];
  for (const [name, rounds] of journeys) {
    it(`R7.8 after ${name}`, async () => {
      const { messages, all } = await journey(rounds);
      assert.deepEqual(expandHistory(messages), all);
    });

    it(`R7.8 after ${name}, saved and loaded each time`, async () => {
      const { messages, all } = await journey(rounds, { reload: true });
      assert.deepEqual(expandHistory(messages), all);
    });

    it(`R7.8 after ${name}, with pinned messages`, async () => {
      const { messages, all } = await journey(rounds, { reload: true, options: { pin } });
      assert.equal(messages.filter(pin).length, 1);
      assert.deepEqual(expandHistory(messages), all);
    });

    it(`R7.8 after ${name}, with usage on every message`, async () => {
      const { messages, all } = await journey(rounds, { tokens: 55 });
      assert.deepEqual(expandHistory(messages), all);
    });
  }

  it('R7.8 it changes nothing, and can be asked again', async () => {
    const { messages, all } = await journey(['summary', 'cut']);
    const before = structuredClone(messages);
    assert.deepEqual(expandHistory(messages), all);
    assert.deepEqual(expandHistory(messages), all);
    assert.deepEqual(messages, before);
  });

  it('R7.8 a history that was never compressed is given back as it is', () => {
    const messages = session();
    const back = expandHistory(messages);
    assert.notEqual(back, messages);
    assert.ok(back.every((/** @type {any} */ message, /** @type {number} */ at) => message === messages[at]));
    assert.deepEqual(expandHistory([]), []);
  });

  it('R7.8 what a truncation shortened is given back whole', async () => {
    const messages = session(9_000, { words: 4_000 });
    const { before } = await processed(messages, { model: scripted(new Error('away')) });
    assert.ok(messages.some(({ beforeCompression }) => beforeCompression?.fields?.content !== undefined));
    assert.deepEqual(expandHistory(saved(messages)), before);
  });

  it('R7.8 a message that was shortened, then compressed, is given back whole', async () => {
    // Of one exchange there is nothing to be summarised yet.
    const messages = session(4_000, { words: 4_000 });
    const { manager, before } = await processed(messages);
    assert.equal(manager.stats().shortened, 1);
    const more = session(FULL, { from: 800 }).slice(2);
    messages.push(...more);
    await manager.process(messages, { now: NOW + 1 });
    assert.equal(manager.stats().compressed, 1);
    assert.deepEqual(expandHistory(saved(messages)), [...before, ...more]);
  });
});

describe('R7.8 a damaged record', () => {
  /** @param {(record: any, message: any) => void} damage */
  async function damaged(damage) {
    const { messages } = await processed(session());
    const copy = saved(messages);
    const made = summaryIn(copy);
    damage(made.compression, made);
    return copy;
  }

  /** @type {[string, (record: any, message: any) => void][]} */
  const damages = [
    ['lost its messages', (record) => delete record.originalMessages],
    [
      'has null for its messages',
      (record) => {
        record.originalMessages = null;
      },
    ],
    [
      'has a text for its messages',
      (record) => {
        record.originalMessages = '[…]';
      },
    ],
    [
      'has fewer messages than it says',
      (record) => {
        record.originalMessages.pop();
      },
    ],
    [
      'has more messages than it says',
      (record) => {
        record.originalMessages.push({ role: 'user', content: 'x' });
      },
    ],
    [
      'names an archive that is not given',
      (record) => {
        delete record.originalMessages;
        record.archive = { sessionId: 's', id: record.id };
      },
    ],
  ];
  for (const [name, damage] of damages) {
    it(`R7.8 that ${name} is a clear error, with the messages that can be seen`, async () => {
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

  it('R7.8 the levels that are whole are still unfolded', async () => {
    const { messages, manager, before } = await processed(session());
    const more = session(OVER, { from: 700 }).slice(2);
    messages.push(...more);
    await manager.process(messages, { now: NOW + 1 });
    const copy = saved(messages);
    const inner = copy[1].compression.originalMessages.find((/** @type {any} */ message) => message.isCompressed);
    copy[1].compression.earlier[0] = null;
    assert.throws(
      () => expandHistory(copy),
      (/** @type {any} */ error) => {
        assert.deepEqual(error.messages.slice(-more.length), more);
        assert.ok(error.messages.length < before.length + more.length);
        assert.ok(error.messages.some((/** @type {any} */ message) => message.content === inner.content));
        return true;
      },
    );
  });

  it('R7.8 a record that holds itself ends in an error, not in a hang', async () => {
    const messages = await damaged((record, message) => {
      record.originalMessages = [message];
      record.messageCount = 1;
    });
    assert.throws(() => expandHistory(messages), { code: 'ERR_DAMAGED_HISTORY' });
  });

  it('R7.8 a damaged record stands in the way of neither compression nor truncation', async () => {
    const config = configuration();
    const messages = await damaged((record) => delete record.originalMessages);
    messages.push(...session(OVER, { from: 900 }).slice(2));
    await processed(messages, { config });
    assert.ok(summaryIn(messages) || noticeIn(messages));
  });

  it('R7.8 wrong arguments throw at once', () => {
    assert.throws(() => expandHistory(/** @type {any} */ (null)), { code: 'ERR_INVALID_ARG_TYPE' });
    assert.throws(() => expandHistory([], { archive: 'x' }), { code: 'ERR_INVALID_ARG_TYPE' });
  });
});
