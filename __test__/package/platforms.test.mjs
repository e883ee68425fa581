// @ts-check
/** What `npm run platforms` reports about its runs. The runs themselves check the package. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { runtimes } from '../../scripts/platforms/runtimes.mjs';
import { faultsOf, tableOf } from '../../scripts/platforms/table.mjs';
import { collectNeeds, TARGETS } from '../../scripts/platforms/targets.mjs';
import { repository } from '../support/children.mjs';

const passing = {
  version: '20.20.2',
  names: 51,
  clean: { changed: 24, units: 64_965, tokens: 41_700 },
  ...Object.fromEntries(['archive', 'workers', 'http', 'compression', 'errors'].map((check) => [check, 'ok'])),
};

describe('the report of npm run platforms', () => {
  it('has a row for each run, and a line with the reason for each skipped one', () => {
    const table = tableOf([
      { name: 'one', by: 'npm', found: passing, exit: 'ok' },
      { name: 'two', found: passing, exit: 'ok', tests: { passed: 1_234, faults: [] } },
      { name: 'three', skipped: 'missing: qemu-user' },
    ]);
    const figures = '24 changed, 64,965 units, 41,700 tokens';
    assert.match(
      table,
      new RegExp(`^\\| one \\| 20\\.20\\.2 \\| npm \\| 51 \\| ${figures} \\|( ok \\|){6} – \\|$`, 'm'),
    );
    assert.match(table, /^\| two \|.*\|( ok \|){6} 1,234 passed \|$/m);
    assert.match(table, /^skipped three: missing: qemu-user$/m);
  });

  it('has faults for failed and unreached checks, other figures, unexpected output and failed tests', () => {
    const faults = (/** @type {object} */ change, exit = 'ok') =>
      faultsOf({ name: 'one', found: { ...passing, ...change }, exit });
    assert.deepEqual(faults({}), []);
    assert.deepEqual(faults({ archive: { failed: 'ARCHIVE_IO' } }), ['one: archive: ARCHIVE_IO']);
    assert.deepEqual(faults({ workers: undefined }), ['one: workers was not reached']);
    assert.match(
      String(faults({ clean: { changed: 23, units: 1, tokens: 1 } })),
      /^one: clean: 23 changed, .* expected 24 /,
    );
    assert.deepEqual(faults({}, 'printed: a warning'), ['one: exit: printed: a warning']);
    assert.deepEqual(faultsOf({ name: 'one', failed: 'the build' }), ['one: the build']);
    const tests = { passed: 3, faults: ['paths ended with 101'] };
    assert.deepEqual(faultsOf({ name: 'one', found: passing, exit: 'ok', tests }), [
      'one: core’s tests: paths ended with 101',
    ]);
  });

  it('names each program that a target lacks, with how to install it', () => {
    for (const target of TARGETS) {
      const needs = collectNeeds();
      target.start({ ...needs, find: (what, _, how) => needs.find(what, undefined, how) });
      assert.ok(needs.missing.length > 0, target.platform);
      for (const what of needs.missing) assert.match(what, /^.+ \(.*(install|\.txt).*\)$/);
    }
  });
});

it('docs/installing.md lists each runtime in which the package is run, with its version', () => {
  const document = readFileSync(join(repository, 'docs', 'installing.md'), 'utf8');
  for (const { name } of runtimes()) {
    const [, runtime = '', version = ''] = /^(.*?) ?([\d.]*)$/.exec(name) ?? [];
    const line = document.split('\n').find((row) => row.startsWith(`| ${runtime} |`)) ?? '';
    assert.ok(line.includes(version), `${name}: ${line}`);
  }
});
