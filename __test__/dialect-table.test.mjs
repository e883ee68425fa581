// @ts-check
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { lines, measuredTable } from './support/dialect-table.mjs';

/** Cells that the package doesn't fill correctly yet: an entry goes as soon as its cell holds. @type {Record<string, string[]>} */
const NOT_YET = {
  anthropic: ['rules', 'orphans'],
  'ai-sdk': ['rules', 'orphans'],
  'openai-responses': ['compiles', 'rules', 'orphans', 'tokens', 'strip'],
  'openai-agents': ['compiles', 'rules', 'orphans', 'tokens', 'compression', 'strip'],
  gemini: ['compiles', 'rules', 'orphans', 'compression'],
  'gemini without ids': ['compiles', 'rules', 'orphans', 'compression'],
  langchain: ['compiles', 'rules', 'orphans', 'compression'],
  'langchain as JSON': ['compiles', 'rules', 'orphans', 'tokens', 'compression'],
  pi: ['rules', 'orphans'],
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
