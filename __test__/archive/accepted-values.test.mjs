// @ts-check
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
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

describe('20 C15 whatever append accepts', () => {
  /** @type {string} */
  let folder;
  /** @type {SessionArchive} */
  let archive;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-accepted-'));
    archive = new SessionArchive(join(folder, 'archive.db'));
  });
  after(async () => {
    await archive.close();
    rmSync(folder, { recursive: true });
  });

  /** @param {string} session @param {any} batch @returns {Promise<boolean>} whether it was accepted */
  const append = async (session, batch) => {
    try {
      await archive.append(session, batch);
      return true;
    } catch (error) {
      assert.match(String(/** @type {any} */ (error).code), /^(ERR_INVALID_ARG_TYPE|ERR_OUT_OF_RANGE)$/);
      return false;
    }
  };

  /** @param {string} session @param {any} batch */
  const reads = async (session, { id, kind, level, at, summary, ...batch }) => {
    const messages = JSON.parse(JSON.stringify(batch.messages));
    assert.deepEqual(await archive.get(session, id), messages);
    // There is no negative zero in the file.
    const stored = { id, kind, level: level + 0, at: at + 0, count: messages.length, messages };
    const said = typeof summary === 'string' ? { summary } : {};
    assert.deepEqual(await archive.restore(session), { sessionId: session, batches: [{ ...stored, ...said }] });
    const [listed] = (await archive.sessions()).filter(({ sessionId }) => sessionId === session);
    assert.deepEqual([listed?.firstAt, listed?.lastAt], [at + 0, at + 0]);
    await archive.search('null', { sessionId: session });
    assert.deepEqual(await archive.integrity(), { ok: true, problems: [] });
  };

  it('is read by get, restore, sessions and search, and is sound', async () => {
    let accepted = 0;
    let sessions = 0;
    await fc.assert(
      fc.asyncProperty(text, batches, async (suffix, batch) => {
        // A case that fails leaves its session, which must not make the smaller ones fail.
        const session = `${sessions}${suffix}`;
        sessions += 1;
        if (!(await append(session, batch))) return;
        accepted += 1;
        await reads(session, batch);
        await archive.delete(session);
      }),
      { numRuns: 300 },
    );
    assert.ok(accepted > 50, `only ${accepted} batches were accepted`);
  });

  it('does not hide the batches beside it: one of the time −0 is read back as 0', async () => {
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
