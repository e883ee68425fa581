// @ts-check
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { lines, measuredTable } from '../support/dialect-table.mjs';

describe('R11 the table of dialects', () => {
  /** @type {Awaited<ReturnType<typeof measuredTable>>} */
  let table;
  before(async () => {
    table = await measuredTable();
  });

  test('is printed', (context) => {
    for (const line of lines(table)) context.diagnostic(line);
    assert.ok(Object.keys(table).length >= 6);
  });

  test('every cell holds', () => {
    const wrong = Object.entries(table).flatMap(([dialect, row]) =>
      Object.entries(row).flatMap(([column, { isMet, text }]) => (isMet ? [] : `${dialect}, ${column}: ${text}`)),
    );
    assert.deepEqual(wrong, []);
  });
});
