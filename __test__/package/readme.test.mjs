// @ts-check
/** What the README says of the package is what the package does. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as palimpsest from 'palimpsest';

const text = (/** @type {string} */ path) =>
  readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');
const readme = text('README.md');

describe('README', () => {
  test('its first figures are those of the bundled recording, judged at its own time', () => {
    const { messages, source } = JSON.parse(text('examples/session.json'));
    const now = Math.max(...messages.map((/** @type {{ timestamp: number }} */ { timestamp }) => timestamp));
    const fileReads = { projectRoot: source.projectRoot };
    const { report } = palimpsest.prepareMessages(messages, { now, fileReads });
    const { orphans, terminal, fileReads: reads } = report.byRule;
    assert.ok(readme.includes(`(${messages.length} messages;`));
    const counts = `${terminal?.changed} terminal results, ${reads?.changed} file reads, ${orphans?.changed} orphans`;
    assert.ok(readme.includes(`report.changed;      // ${report.changed}: ${counts}`));
    assert.ok(readme.includes(`report.unitsRemoved; // ${report.unitsRemoved.toLocaleString('en-US')} UTF-16 units`));
  });

  test('what it imports is exported', () => {
    const imported = Array.from(readme.matchAll(/import \{([^}]*)\} from 'palimpsest'/g), ([, names = '']) => names);
    const names = imported.flatMap((list) => list.split(',')).map((name) => name.trim());
    assert.ok(names.length > 5);
    assert.deepEqual(
      names.filter((name) => !(name in palimpsest)),
      [],
    );
  });

  test('what it links to is there', () => {
    const links = Array.from(
      readme.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g),
      ([, path]) => /** @type {string} */ (path),
    );
    assert.ok(links.includes('docs/installing.md'));
    assert.deepEqual(
      links.filter((path) => !existsSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)))),
      [],
    );
  });

  test('the placeholders that it shows are those that the rules put in', () => {
    const now = 3_600_000_000;
    for (const [name, tool, rule] of /** @type {const} */ ([
      ['simplifyOutdatedTerminalResults', 'bash', palimpsest.simplifyOutdatedTerminalResults],
      ['simplifyHistoricalFileReads', 'filesystem-read', palimpsest.simplifyHistoricalFileReads],
      ['simplifyTextSearchResults', 'ace-text_search', palimpsest.simplifyTextSearchResults],
    ])) {
      const messages = Array.from({ length: 6 }, (_, at) => [
        {
          role: 'assistant',
          tool_calls: [{ id: `c${at}`, function: { name: tool, arguments: '{"filePath":"a"}' } }],
        },
        { role: 'tool', tool_call_id: `c${at}`, content: 'x'.repeat(99), timestamp: at },
      ]).flat();
      assert.equal(rule(messages, { now }).changed, 1);
      const row = readme.split('\n').find((line) => line.startsWith(`| \`${name}\``));
      assert.ok(row?.endsWith(`| \`${/** @type {any} */ (messages[1]).content}\` |`), name);
    }
  });
});
