// @ts-check
/** Every command that a document shows exists, and accepts the options and arguments that are shown. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { commands } from '../../bin/command-line.mjs';
import { repository } from '../support/children.mjs';
import { file, palimpsest } from '../support/command.mjs';
import { commandsOf, problemsOf } from '../support/documented-commands.mjs';
import { documents } from '../support/snippets.mjs';

const paths = [...documents(), 'plugins/pi/README.md'];

describe('commands in documents', () => {
  for (const path of paths) {
    const shown = commandsOf(path);
    if (shown.length === 0) continue;
    it(`every command in ${path} exists and accepts its options and arguments`, async () => {
      assert.deepEqual((await Promise.all(shown.map(problemsOf))).flat(), []);
    });
  }

  it('commandsOf finds npm, palimpsest, bench and cargo commands', () => {
    const all = paths.flatMap(commandsOf).map(({ words }) => words.slice(0, 2).join(' '));
    for (const [kind, least] of /** @type {const} */ ([
      [/^npm (?:run|start|test)/, 30],
      [/^(?:npx )?palimpsest/, 20],
      [/^node bench\//, 15],
      [/^cargo run/, 1],
    ])) {
      const found = all.filter((command) => kind.test(command)).length;
      assert.ok(found >= least, `${kind}: ${found}`);
    }
  });

  it('problemsOf reports a misspelt command, script, option, file and program', async () => {
    const wrong = {
      'palimpsest simulat': /no command is called simulat/,
      'palimpsest view --prot 1': /view takes no --prot/,
      'npm run exampel': /no script exampel/,
      'npm run example:fleet -- --step 6': /takes no --step/,
      'npm run example -- ai-sdkk': /knows no ai-sdkk/,
      'node bench/promis.mjs': /there is no bench\/promis.mjs/,
      'node bench/need.mjs --price all': /takes no --price/,
      'cargo run -p palimpsest-sessions --example figure': /no example figure/,
      'palimpsst view': /nobody knows/,
    };
    for (const [line, expected] of Object.entries(wrong)) {
      const problems = await problemsOf({ place: 'here', words: line.split(' ') });
      assert.match(problems.join('\n'), expected, line);
    }
  });

  it('every option that docs/command.md lists is in a command’s help', async () => {
    const helps = await Promise.all([...commands.values()].map(async ({ load }) => (await load()).help));
    const text = readFileSync(join(repository, 'docs/command.md'), 'utf8');
    const rows = text.split('\n').filter((line) => line.startsWith('| `--'));
    const listed = rows.flatMap((line) => Array.from(line.matchAll(/`--([\w-]+)/g), ([, name = '']) => name));
    assert.ok(listed.length >= 12);
    const isKnown = (/** @type {string} */ name) =>
      helps.some((help) => new RegExp(`^ {2}(?:-\\w, )?--${name}\\b`, 'm').test(help));
    assert.deepEqual(
      listed.filter((name) => !isKnown(name)),
      [],
    );
  });

  it('palimpsest sessions --prices reads the price list that docs/command.md shows', () => {
    const [, prices = ''] =
      /```json\n([\s\S]*?)```/.exec(readFileSync(join(repository, 'docs/command.md'), 'utf8')) ?? [];
    const session = join(repository, 'examples/session.json');
    const { status, stderr } = palimpsest(['sessions', '--prices', file('prices.json', prices), session]);
    assert.deepEqual([status, stderr.includes('prices.json')], [0, false], stderr);
  });

  it('npm test refuses words that choose test files if --only leaves out the step node', () => {
    const words = ['scripts/test.mjs', '--only', 'fmt', 'biome'];
    const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: repository, encoding: 'utf8' });
    assert.equal(status, 2);
    assert.match(stdout + stderr, /expected words only with --only node.*; got biome/);
  });
});
