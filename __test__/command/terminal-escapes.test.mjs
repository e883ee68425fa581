// @ts-check
/** Names and texts in session files are untrusted: no escape sequence in them may reach the terminal. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { printable, printableJson } from '../../bin/print.mjs';
import { file, palimpsest, repository } from '../support/command.mjs';

/** Sets clipboard, title and colours, clears the screen, reverses the text's direction, also by C1 controls. */
const evil =
  '\u001b]52;c;ZXZpbA==\u0007\u001b]0;title\u001b\\\u001b[2J\u001b[45m\u009d52;c;ZXZpbA==\u009c\u009b2J\u202e\u2066\u0008\r';
// biome-ignore lint/suspicious/noControlCharactersInRegex: the characters that must not be printed.
const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the styles of bin/print.mjs.
const ownStyles = /\u001b\[(?:1|2|22|3[1-6]|39)m|\r\u001b\[K/g;

/** A Claude Code session of two requests with a call. */
function session() {
  const usage = { input_tokens: 5, cache_read_input_tokens: 0, cache_creation_input_tokens: 20_000, output_tokens: 9 };
  const shared = { sessionId: `s${evil}`, cwd: `/home/me/pro${evil}ject`, isSidechain: false, gitBranch: evil };
  const record = (/** @type {number} */ at, /** @type {string} */ type, /** @type {object} */ message) => ({
    type,
    uuid: `r${at}`,
    parentUuid: at === 0 ? null : `r${at - 1}`,
    timestamp: `2026-01-01T00:00:0${at}Z`,
    message,
    ...shared,
  });
  const model = `claude-opus-4-5${evil}`;
  const call = { type: 'tool_use', id: 'c1', name: `ba${evil}sh`, input: { command: `ls ${evil}` } };
  const result = { type: 'tool_result', tool_use_id: 'c1', content: `out ${evil}` };
  const records = [
    record(0, 'user', { role: 'user', content: `go ${evil}` }),
    record(1, 'assistant', { role: 'assistant', id: 'm1', model, content: [call], usage }),
    record(2, 'user', { role: 'user', content: [result] }),
    record(3, 'assistant', { role: 'assistant', id: 'm2', model, content: [{ type: 'text', text: evil }], usage }),
  ];
  return records.map((one) => JSON.stringify(one)).join('\n');
}

/** A message list with an unknown tool. */
function messages() {
  const call = { id: 'c1', type: 'function', function: { name: `x${evil}y`, arguments: JSON.stringify({ a: evil }) } };
  return [
    { role: 'user', content: evil },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c1', name: `x${evil}y`, content: `result ${evil}`.repeat(100) },
    { role: `unknown${evil}`, content: evil },
  ];
}

const recorded = file('session.jsonl', session());
const listed = file('messages.json', messages());
const broken = file('broken.json', `{"a": ${evil}`);
const commands = [
  ['sessions', recorded],
  ['sessions', '--csv', recorded],
  ['sessions', '--json', recorded],
  ['report', recorded],
  ['report', '--csv', recorded],
  ['report', '--json', recorded],
  ['report', listed],
  ['report', '--json', listed],
  ['report', broken],
  ['tokens', recorded],
  ['tokens', '--csv', recorded],
  ['tokens', '--json', recorded],
  ['tokens', listed],
  ['tokens', broken],
  ['simulate', recorded],
  ['simulate', '--csv', recorded],
  ['simulate', '--need', recorded],
  ['view', '--text', recorded],
  ['sessions', `missing${evil}`],
  ['report', `missing${evil}`],
  ['tokens', `missing${evil}`],
  ['tokens', '--model', evil, listed],
  ['sessions', '--since', evil],
  ['sessions', '--prices', `missing${evil}`, recorded],
  ['simulate', '--price-list', evil, recorded],
  ['report', '--keep-recent', evil, listed],
  ['report', `--unknown${evil}`],
  ['truncate', '--keep', evil],
  ['truncate', '--limit', evil],
  ['truncate', `missing${evil}`],
  ['sanitize', '--fields', `,${evil}`],
  ['sanitize', `missing${evil}`],
  ['completion', evil],
  ['view', '--port', evil],
  ['view', `missing${evil}`],
  ['help', evil],
  [evil],
  [`--${evil}`],
];

describe('terminal escapes of session files', () => {
  for (const [at, command] of commands.entries()) {
    const name = `${at}: ${command
      .map((word) => printable(word))
      .join(' ')
      .slice(0, 60)}`;

    test(`the command prints no escape sequence into a pipe: ${name}`, () => {
      const { stdout, stderr } = palimpsest(command);
      assert.notEqual(stdout + stderr, '');
      assert.doesNotMatch(stdout, unsafe);
      assert.doesNotMatch(stderr, unsafe);
    });

    test(`the command prints only its own styles to a terminal: ${name}`, () => {
      const script =
        'process.stdout.isTTY=true;process.stderr.isTTY=true;process.stdout.columns=process.stderr.columns=100';
      const env = { NODE_OPTIONS: `--import "data:text/javascript,${script}"`, TERM: 'xterm', NO_COLOR: '' };
      const { stdout, stderr } = palimpsest(command, { env });
      for (const text of [stdout, stderr]) assert.doesNotMatch(text.replace(ownStyles, ''), unsafe);
    });
  }

  test('CSV shows an escape sequence as readable text, and JSON keeps its value', () => {
    const { stdout } = palimpsest(['sessions', '--csv', recorded]);
    assert.match(stdout, /pro\\x1b\]52;c;ZXZpbA==\\x07/);
    assert.match(stdout, /\\u202e\\u2066\\x08\\rject/);
    const json = palimpsest(['sessions', '--json', recorded]).stdout;
    const [{ sessions }] = JSON.parse(json).files;
    assert.equal(sessions[0].project, `/home/me/pro${evil}ject`);
  });

  test('R0.2 truncate keeps escape sequences in a pipe, and on a terminal only colours', () => {
    const input = `a\u001b[31mred\u001b[0m\t${evil}\r\nb`;
    assert.equal(palimpsest(['truncate'], { input }).stdout, input);
    const env = { NODE_OPTIONS: '--import "data:text/javascript,process.stdout.isTTY=true"' };
    const { stdout } = palimpsest(['truncate'], { input, env });
    assert.ok(stdout.startsWith('a\u001b[31mred\u001b[0m\t\\x1b]52;c;'), JSON.stringify(stdout));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are removed before the check.
    assert.doesNotMatch(stdout.replace(/\u001b\[[\d;]*m/g, ''), unsafe);
  });

  test('only bin/print.mjs writes to stdout and stderr', () => {
    const files = readdirSync(join(repository, 'bin'), { recursive: true, encoding: 'utf8' });
    const printing = files.filter(
      (name) =>
        name.endsWith('.mjs') &&
        /(?:stdout|stderr)\.write\(|console\./.test(readFileSync(join(repository, 'bin', name), 'utf8')),
    );
    assert.deepEqual(printing, ['print.mjs']);
  });

  test('printable shows every control and direction character, and printableJson keeps the parsed value', () => {
    for (let code = 0; code < 0x1_0000; code++) {
      const text = String.fromCharCode(code);
      assert.equal(unsafe.test(printable(text)), false, code.toString(16));
      if (code % 7 === 0 || code < 0x300) {
        assert.equal(JSON.parse(printableJson(JSON.stringify(text))), text);
      }
    }
    assert.equal(printable('a\nb\tc', '\n\t'), 'a\nb\tc');
    assert.equal(printable('中 é 😀 a-b'), '中 é 😀 a-b');
    assert.equal(printable('\u{e0041}'), '\\u{e0041}');
  });
});
