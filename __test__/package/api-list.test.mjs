// @ts-check
/** docs/api.md lists every exported name of every entry, with its purpose and stability, and no other name. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { entries } from '../../site/pages.mjs';
import { repository } from '../support/children.mjs';

const STABILITY = ['stable', 'may change', 'drop-in'];
const text = readFileSync(join(repository, 'docs/api.md'), 'utf8');

/** @type {Map<string, [name: string, does: string, stability: string][]>} by entry */
const listed = new Map();
for (const [, name = '', entry = 'palimpsest', does = '', how = ''] of text.matchAll(
  /^\| `(\w+)` \| (?:`(palimpsest\/[^`]*)` \| )?([^|]+) \| ([^|]+) \|$/gm,
)) {
  listed.set(entry, [...(listed.get(entry) ?? []), [name, does.trim(), how.trim()]]);
}

/** @param {string} entry @returns {Promise<string[]>} */
async function exportsOf(entry) {
  // The published entry is a bundle, which may not be built yet in a checkout.
  const source = entry === 'palimpsest/elements' ? '../../ui/elements.js' : entry;
  return Object.keys(await import(source)).filter((name) => name !== 'default');
}

describe('docs/api.md', () => {
  test('has names of each entry that package.json exports, and of no other entry', () => {
    assert.deepEqual(
      [...listed.keys()].sort(),
      entries()
        .map(({ name }) => name)
        .sort(),
    );
  });

  for (const { name: entry } of entries()) {
    test(`lists each exported name of ${entry} once, with its purpose and stability`, async () => {
      const rows = listed.get(entry) ?? [];
      assert.deepEqual(rows.map(([name]) => name).sort(), (await exportsOf(entry)).sort());
      for (const [name, does, how] of rows) {
        assert.ok(does.length > 5 || does === 'likewise', `${name} has a purpose`);
        assert.ok(STABILITY.includes(how), `${name}: ${how}`);
      }
    });
  }
});
