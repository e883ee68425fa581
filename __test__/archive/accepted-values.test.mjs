// @ts-check
/** Random batches: SessionArchive either rejects a batch, or returns it from every call that reads. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { SessionArchive } from 'palimpsest';

const text = fc.string({ unit: 'binary' });
const batches = fc.record(
  {
    id: fc.oneof(text, fc.constant('')),
    kind: fc.constantFrom('summary', 'truncation'),
    level: fc.oneof(fc.nat(), fc.constantFrom(0, -0, 2 ** 32 - 1, 2 ** 32, 0.5)),
    at: fc.oneof(fc.double(), fc.constantFrom(0, -0, Number.MIN_VALUE, -Number.MAX_VALUE, 2 ** 53, 1e300)),
    messages: fc.array(fc.anything({ withDate: true, withSparseArray: true, withTypedArray: true }), { maxLength: 4 }),
    summary: fc.oneof(text, fc.constantFrom(null, undefined)),
  },
  { requiredKeys: ['id', 'kind', 'level', 'at', 'messages'] },
);

describe('a batch that SessionArchive.append accepts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-accepted-'));
  const archive = new SessionArchive(join(folder, 'archive.db'));
  after(async () => {
    await archive.close();
    rmSync(folder, { recursive: true });
  });

  /** @param {string} session @param {any} batch @returns {Promise<boolean>} */
  const isAccepted = async (session, batch) => {
    try {
      await archive.append(session, batch);
      return true;
    } catch (error) {
      assert.match(String(/** @type {any} */ (error).code), /^(ERR_INVALID_ARG_TYPE|ERR_OUT_OF_RANGE)$/);
      return false;
    }
  };

  /** @param {string} session @param {any} batch */
  const assertReadable = async (session, { id, kind, level, at, summary, ...batch }) => {
    const messages = JSON.parse(JSON.stringify(batch.messages));
    assert.deepEqual(await archive.get(session, id), messages);
    // The file has no negative zero.
    const stored = { id, kind, level: level + 0, at: at + 0, count: messages.length, messages };
    const ownSummary = typeof summary === 'string' ? { summary } : {};
    assert.deepEqual(await archive.restore(session), { sessionId: session, batches: [{ ...stored, ...ownSummary }] });
    const [listed] = (await archive.sessions()).filter(({ sessionId }) => sessionId === session);
    assert.deepEqual([listed?.firstAt, listed?.lastAt], [at + 0, at + 0]);
    await archive.search('null', { sessionId: session });
    assert.deepEqual(await archive.integrity(), { ok: true, problems: [] });
  };

  it('is returned by get, restore and sessions, can be searched, and passes integrity', async () => {
    let accepted = 0;
    let sessions = 0;
    await fc.assert(
      fc.asyncProperty(text, batches, async (suffix, batch) => {
        // A failed case leaves its session, so each case has a session of its own.
        const session = `${sessions}${suffix}`;
        sessions += 1;
        if (!(await isAccepted(session, batch))) return;
        accepted += 1;
        await assertReadable(session, batch);
        await archive.delete(session);
      }),
      { numRuns: 300 },
    );
    assert.ok(accepted > 50, `only ${accepted} batches were accepted`);
  });

  it('hides no other batch if its `at` is −0, which is read as 0', async () => {
    const batch = (/** @type {string} */ id, /** @type {number} */ at) =>
      /** @type {const} */ ({ id, kind: 'summary', level: 1, at, messages: [{ role: 'user', content: id }] });
    await archive.append('s', batch('before', 1));
    await archive.append('s', batch('negative', -0));
    const { batches: restored } = await archive.restore('s');
    assert.deepEqual(
      restored.map(({ id, at }) => [id, at]),
      [
        ['before', 1],
        ['negative', 0],
      ],
    );
    await archive.append('s', batch('negative', -0));
  });
});
