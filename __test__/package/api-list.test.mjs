// @ts-check
/** docs/api.md lists what the package exports: every name of every entry, none that isn't there, and how stable each is. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { entries } from '../../site/pages.mjs';
import { repository } from '../support/children.mjs';

const STABILITY = ['stable', 'may change', 'drop-in'];
const text = readFileSync(join(repository, 'docs/api.md'), 'utf8');

/** @type {Map<string, [name: string, does: string, stability: string][]>} by entry */
const listed = new Map(
  Array.from(text.matchAll(/^## `(palimpsest[^`]*)`\n([\s\S]*?)(?=^## |(?![\s\S]))/gm), ([, entry = '', part = '']) => [
    entry,
    Array.from(part.matchAll(/^\| `(\w+)` \| (.+) \| ([^|]+) \|$/gm), ([, name = '', does = '', how = '']) => [
      name,
      does.trim(),
      how.trim(),
    ]),
  ]),
);

/** @param {string} entry @returns {Promise<string[]>} */
async function exportsOf(entry) {
  // In the package this is a bundle, which a checkout need not have yet.
  const source = entry === 'palimpsest/elements' ? '../../ui/elements.js' : entry;
  return Object.keys(await import(source)).filter((name) => name !== 'default');
}

describe('docs/api.md', () => {
  test('has a part for each entry that package.json exports, and no other', () => {
    assert.deepEqual(
      [...listed.keys()].sort(),
      entries()
        .map(({ name }) => name)
        .sort(),
    );
  });

  for (const { name: entry } of entries()) {
    test(`lists each name of ${entry} once, with what it does and how stable it is`, async () => {
      const rows = listed.get(entry) ?? [];
      assert.deepEqual(rows.map(([name]) => name).sort(), (await exportsOf(entry)).sort());
      for (const [name, does, how] of rows) {
        assert.ok(does.length > 5 || does === 'likewise', `${name} does something`);
        assert.ok(STABILITY.includes(how), `${name}: ${how}`);
      }
    });
  }
});
