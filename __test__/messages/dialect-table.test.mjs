// @ts-check
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { lines, measuredTable } from '../support/dialect-table.mjs';

/** Cells that the package doesn't fill correctly yet: an entry goes as soon as its cell holds. @type {Record<string, string[]>} */
const NOT_YET = {
  anthropic: ['rules'],
  'ai-sdk': ['rules'],
  'openai-responses': ['compiles', 'rules'],
  'openai-agents': ['compiles', 'rules'],
  gemini: ['compiles', 'rules', 'compression'],
  'gemini without ids': ['compiles', 'rules', 'compression'],
  langchain: ['compiles', 'rules', 'compression'],
  'langchain as JSON': ['compiles', 'rules', 'compression'],
  pi: ['rules'],
};

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

  test('every cell holds but those that are known not to', (context) => {
    const wrong = [];
    for (const [dialect, row] of Object.entries(table)) {
      for (const [column, { holds, says }] of Object.entries(row)) {
        const isExpected = !NOT_YET[dialect]?.includes(column);
        if (!holds && isExpected) wrong.push(`${dialect}, ${column}: ${says}`);
        if (holds && !isExpected) context.diagnostic(`${dialect}, ${column}: holds now`);
      }
    }
    assert.deepEqual(wrong, []);
  });
});
