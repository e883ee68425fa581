// @ts-check
/** Figures, placeholders and outputs in README.md, docs/cleanup.md and docs/outputs-and-results.md are those of the package. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import * as palimpsest from 'palimpsest';
import { repository } from '../support/children.mjs';
import { documents, snippetsOf } from '../support/snippets.mjs';

const text = (/** @type {string} */ path) => readFileSync(join(repository, path), 'utf8');
const readme = text('README.md');
const cleanup = text('docs/cleanup.md');

/** The cells of each row of the document's tables, without emphasis. @param {string} document */
function rowsOf(document) {
  const lines = document.split('\n').filter((line) => line.startsWith('|'));
  return lines.map((line) => line.split('|').map((cell) => cell.replaceAll('**', '').trim()));
}

describe('README.md', () => {
  test('has at most 700 words, and its first 40 lines are English except for the link to the Chinese page', () => {
    assert.ok(readme.split(/\s+/).filter(Boolean).length <= 700);
    const screen = readme.split('\n').slice(0, 40).join('\n');
    assert.ok(screen.includes('[简体中文](README.zh.md)'));
    assert.doesNotMatch(screen.replace('[简体中文](README.zh.md)', ''), /\p{Script=Han}/u);
  });

  test('shows figures of policies that docs/need.md has, too', () => {
    const shown = rowsOf(readme).filter(([, , bill = '']) => /^\d\.\d{3}$/.test(bill));
    assert.ok(shown.length >= 6);
    const first = (/** @type {string | undefined} */ cell) => String(cell).split(' ')[0];
    const known = rowsOf(text('docs/need.md')).map(([, , ...figures]) => figures.slice(0, 3).map(first).join());
    for (const [, name, ...figures] of shown) assert.ok(known.includes(figures.slice(0, 3).map(first).join()), name);
  });

  test('shows for each SDK the line of code that docs/adapters.md has', () => {
    const code = (/** @type {string[]} */ row) => {
      const line = /^`[^`]+`/.exec(row[2] ?? '')?.[0];
      return line && `${line} from ${/`palimpsest[^`]*`/.exec(row.join(' '))?.[0]}`;
    };
    const lines = rowsOf(readme).map(code).filter(Boolean);
    const known = new Set(rowsOf(text('docs/adapters.md')).map(code));
    assert.equal(lines.length, 6);
    assert.deepEqual(
      lines.filter((line) => !known.has(line)),
      [],
    );
  });

  test('shows a placeholder as a ContextView writes it', () => {
    const shown = /^\[#(\d+) removed: bash (.*), (\d+) lines;.*\]$/m.exec(readme);
    const [placeholder, at, command, lines] = shown ?? assert.fail('no placeholder is shown');
    const output = 'a line\n'.repeat(Number(lines) - 1);
    const turn = (/** @type {number} */ request) => {
      const words = JSON.stringify({ command: request === Number(at) ? command : `npm run step-${request}` });
      return [
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: `c${request}`, function: { name: 'bash', arguments: words } }],
        },
        { role: 'tool', tool_call_id: `c${request}`, content: `${output}the end of ${request}` },
      ];
    };
    // The result of the first assistant message is sent with request 1.
    const turns = Array.from({ length: Number(at) + 60 }, (_, index) => turn(index + 1));
    const stored = [{ role: 'user', content: 'Make the tests pass.' }, ...turns.flat()];
    const { messages } = new palimpsest.ContextView({ price: 'none' }).project(stored);
    assert.ok(messages.some(({ content }) => content === placeholder));
  });
});

describe('docs/cleanup.md', () => {
  test('begins with the report of prepareMessages for the bundled recording, with `now` at its end', () => {
    const { messages, source } = JSON.parse(text('examples/session.json'));
    const now = Math.max(...messages.map((/** @type {{ timestamp: number }} */ { timestamp }) => timestamp));
    const fileReads = { projectRoot: source.projectRoot };
    const { report } = palimpsest.prepareMessages(messages, { now, fileReads });
    const { orphans, terminal, fileReads: reads } = report.byRule;
    assert.ok(cleanup.includes(`recording of ${messages.length} messages, with \`now\` at its end`));
    const counts = `${terminal?.changed} terminal results, ${reads?.changed} file reads, ${orphans?.changed} orphans`;
    assert.ok(cleanup.includes(`report.changed;      // ${report.changed}: ${counts}`));
    assert.ok(cleanup.includes(`report.unitsRemoved; // ${report.unitsRemoved.toLocaleString('en-US')} UTF-16 units`));
  });

  test('shows the placeholders of the three presets in both languages', () => {
    const now = 3_600_000_000;
    for (const [preset, tool, rule] of /** @type {const} */ ([
      ['terminal', 'bash', palimpsest.simplifyOutdatedTerminalResults],
      ['fileReads', 'filesystem-read', palimpsest.simplifyHistoricalFileReads],
      ['textSearch', 'ace-text_search', palimpsest.simplifyTextSearchResults],
    ])) {
      const placeholders = /** @type {const} */ (['zh', 'en']).map((placeholderLanguage) => {
        const messages = Array.from({ length: 6 }, (_, at) => [
          {
            role: 'assistant',
            tool_calls: [{ id: `c${at}`, function: { name: tool, arguments: '{"filePath":"a"}' } }],
          },
          { role: 'tool', tool_call_id: `c${at}`, content: 'x'.repeat(99), timestamp: at },
        ]).flat();
        assert.equal(rule(messages, { now, placeholderLanguage }).changed, 1);
        return `\`${/** @type {any} */ (messages[1]).content}\``;
      });
      const row = `| \`${preset}\` | ${placeholders.join(' | ')} |`;
      assert.ok(cleanup.split('\n').includes(row), row);
    }
  });
});

describe('docs/outputs-and-results.md', () => {
  test('shows the outputs of formatToolResultForModel and sanitizeToolResult', () => {
    const document = text('docs/outputs-and-results.md');
    const done = {
      toolCallId: 'call_1',
      success: true,
      output: 'Image generated.',
      metadata: { imagePath: '/tmp/a.png' },
    };
    const failed = { toolCallId: 'call_2', success: false, error: 'exit code 1', output: '1 of 3 tests failed: login' };
    const lines = palimpsest.formatToolResultForModel([done, failed]).split('\n\n');
    const shown = lines.map((line) => `// ${line.replaceAll('\n', '\\n').replace('login', '…')}`);
    for (const line of shown) assert.ok(document.includes(line), line);
    const image = { toolCallId: 'call_3', success: true, metadata: { imageBase64: 'A'.repeat(524_595) } };
    const { metadata } = palimpsest.sanitizeToolResult(image);
    assert.ok(document.includes(`metadata.imageBase64 → '${metadata.imageBase64}'`), JSON.stringify(metadata));
  });
});

describe('all documents', () => {
  test('import only names that palimpsest exports', () => {
    const code = documents().flatMap((path) => snippetsOf(path).map((found) => found.code));
    const imported = code.flatMap((snippet) =>
      Array.from(snippet.matchAll(/import \{([^}]*)\} from 'palimpsest'/g), ([, names = '']) => names),
    );
    const names = imported
      .flatMap((list) => list.split(','))
      .map((name) => name.trim())
      .filter(Boolean);
    assert.ok(names.length > 20);
    assert.deepEqual(
      names.filter((name) => !(name in palimpsest)),
      [],
    );
  });
});
