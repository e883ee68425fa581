// @ts-check
/** `Outline`, the rows of `<compression-history>`, without a browser. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import record from '../../lib/compression/record.js';
import levels from '../../lib/history/levels.js';
import { Outline } from '../../ui/history/outline.js';
import { findMatches, patternOf } from '../../ui/history/search.js';
import { compressedSession, longHistory } from '../support/compressed-sessions.mjs';
import { expandHistory } from '../support/compression.mjs';

/** An outline with all compressions open. @param {any[]} messages */
function openOutline(messages) {
  const outline = new Outline();
  outline.setMessages(messages);
  for (const { row } of outline.walk()) if (row.kind === 'point') outline.openKeys.add(row.key);
  outline.rebuildRows();
  return outline;
}

const made = (/** @type {any} */ compression) => ({ role: 'user', content: 'x', isCompressed: true, compression });

describe('the rows of <compression-history>', () => {
  it('are, when all is open, the messages of expandHistory and a start and end row for each compression', async () => {
    for (const { messages, originals } of [
      await compressedSession(),
      await compressedSession({ rounds: 2, isCut: true }),
    ]) {
      const { rows } = openOutline(messages);
      const kept = rows
        .filter(({ kind }) => kind === 'message')
        .map(({ level, index }) => levels.originalOf(level.messages[index], record.recordIdsIn(level.messages)));
      const found = kept.filter(({ isRepeated }) => !isRepeated).map(({ message }) => message);
      assert.deepEqual(found, expandHistory(messages));
      assert.deepEqual(found, originals);
      const count = (/** @type {string} */ kind) => rows.filter((row) => row.kind === kind).length;
      assert.equal(count('point'), count('end'));
    }
  });

  it('have unique keys for records with repeated, missing or unusual ids', () => {
    const ids = ['a', 'a/0', 'a!end', 'a', 'a%2f.0', '', '\ud800', 'p:a', undefined, 7];
    const messages = ids.map((id) =>
      made({ id, originalMessages: [made({ id, originalMessages: [{ role: 'user', content: 'y' }] })] }),
    );
    const keys = openOutline(messages).rows.map(({ key }) => key);
    assert.equal(new Set(keys).size, keys.length);
    assert.equal(keys.length, ids.length * 5);
  });

  it('exist for ten thousand levels, and for records that share their originals or contain themselves', () => {
    let deep = made({ originalMessages: [{ role: 'user', content: 'the first' }] });
    for (let level = 0; level < 10_000; level++) deep = made({ originalMessages: [deep] });
    assert.equal(openOutline([deep]).rows.at(10_001)?.kind, 'message');
    const shared = [{ role: 'user', content: 'y' }];
    const both = openOutline([
      made({ id: 'a', originalMessages: shared }),
      made({ id: 'b', originalMessages: shared }),
    ]);
    assert.equal(both.totals.messages, 1, 'counted once');
    assert.equal(both.rows.filter(({ kind }) => kind === 'message').length, 2, 'shown in both');
    /** @type {any} */
    const own = { id: 'own', originalMessages: [] };
    own.originalMessages.push(made(own));
    assert.deepEqual(
      openOutline([made(own)]).rows.map(({ kind }) => kind),
      ['point', 'point', 'damaged', 'end'],
    );
  });

  it('are searched for the literal words in any case, not for a pattern', () => {
    const outline = new Outline();
    outline.setMessages([{ role: 'user', content: 'a.b A.B axb (c) [d] \\e ÄÖ 中文' }, ...longHistory(100, 2)]);
    const count = (/** @type {string} */ query) =>
      findMatches(outline, /** @type {RegExp} */ (patternOf(query))).length;
    assert.deepEqual(
      ['a.b', '(C)', '[d]', '\\E', 'äö', '中文', '$^', 'message 99:', '-/-'].map(count),
      [2, 1, 1, 1, 1, 1, 0, 1, 0],
    );
    assert.equal(patternOf('  '), undefined);
  });
});
