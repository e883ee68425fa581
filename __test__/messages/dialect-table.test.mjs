// @ts-check
/** Every dialect supports every feature: types, rules, orphans, tokens, compression and `stripForApi`. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { lines, measuredTable } from '../support/dialect-table.mjs';

describe('R11.1 the table of dialects and features', () => {
  /** @type {Awaited<ReturnType<typeof measuredTable>>} */
  let table;
  before(async () => {
    table = await measuredTable();
  });

  test('has a row for each dialect', (context) => {
    for (const line of lines(table)) context.diagnostic(line);
    assert.ok(Object.keys(table).length >= 6);
  });

  test('has no feature that a dialect lacks', () => {
    const wrong = Object.entries(table).flatMap(([dialect, row]) =>
      Object.entries(row).flatMap(([column, { isMet, text }]) => (isMet ? [] : `${dialect}, ${column}: ${text}`)),
    );
    assert.deepEqual(wrong, []);
  });
});
