// @ts-check
/** `node bench/adapters.mjs`: its output has the rows of the table in docs/adapters.md, and with palimpsest nothing is refused or lost. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { node22 } from '../../scripts/programs.mjs';
import { loadCorpus } from '../support/corpus.mjs';

const bench = fileURLToPath(new URL('../../bench/adapters.mjs', import.meta.url));
const document = readFileSync(new URL('../../docs/adapters.md', import.meta.url), 'utf8');
const { missing } = loadCorpus();
const skip = process.env.CI === 'true' ? false : (missing ?? false);

/** @param {string} text */
const rowsIn = (text) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .slice(2);

test('R13.2 with palimpsest no SDK has a refused request or a lost stored result', { skip }, async () => {
  assert.equal(missing, undefined);
  const { stdout } = await promisify(execFile)(node22(), [bench, '--steps', '20']);
  const rows = rowsIn(stdout);
  const withPalimpsest = rows.filter(([, , way]) => /palimpsest|view\.prepare/.test(way ?? ''));
  assert.ok(withPalimpsest.length >= 1);
  for (const [, sdk, , refused, , , ...lastCells] of withPalimpsest)
    assert.deepEqual([refused, lastCells.at(-3)], ['0', '0'], sdk);
  // The document's table has this output at full length: each SDK's own pruning, and one row for palimpsest in all of them.
  const documented = rowsIn(document.slice(document.indexOf('## Side by side')));
  const ownPruning = rows.filter(([, , way = '']) => way !== 'nothing' && !/^`palimpsest[^`]*`(?:$|: )/.test(way));
  assert.deepEqual(
    documented.map(([, sdk, way]) => [sdk, way]),
    [
      ...ownPruning.map(([, sdk, way]) => [sdk, way]),
      ['all five', 'a palimpsest adapter'],
      ['OpenAI, Google', '`view.prepare`'],
    ],
  );
});
