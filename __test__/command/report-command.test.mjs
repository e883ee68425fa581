// @ts-check
/** `palimpsest report`, run as a process: files in, stdout, stderr and exit code out. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { file, minute, palimpsest, repository, session, shell, start } from '../support/command.mjs';
import { camelCase, foreignForms } from '../support/message-forms.mjs';

const example = join(repository, 'examples', 'session.json');
const corpus = join(repository, '..', 'shared', 'corpus');

describe('palimpsest report', () => {
  test('the JSON has figures per session and totals, and units before minus removed units are those after', () => {
    const { status, stdout, stderr } = palimpsest(['report', '--json', file('shell.json', { messages: shell })]);
    assert.equal(stderr, '');
    assert.equal(status, 0);
    const { sessions, totals, errors, version } = JSON.parse(stdout);
    assert.equal(version, JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')).version);
    assert.deepEqual(errors, []);
    assert.equal(sessions.length, 1);
    const [only] = sessions;
    assert.equal(only.file, 'shell.json');
    assert.equal(only.messages, 60);
    assert.equal(only.toolResults, 30);
    assert.equal(only.now, start + 29 * minute);
    // Results 0 to 13 are more than 15 minutes older than the last; the newest five are among the younger ones.
    assert.equal(only.byRule.terminal.changed, 14);
    assert.deepEqual(Object.keys(only.byRule), ['orphans', 'terminal', 'fileReads', 'textSearch']);
    assert.equal(only.units.before - only.units.after, only.byRule.terminal.unitsRemoved);
    const { before, after: left } = only.estimatedTokens;
    assert.equal(before - left, only.byRule.terminal.estimatedTokensSaved);
    assert.ok(left > 0 && left < before);
    assert.equal(totals.changed, 14);
    assert.deepEqual(totals.units, only.units);
    assert.ok(only.durationMs > 0);
  });

  test('the table marks rules that prepareMessages has off by default, and the JSON lists those that are on', () => {
    const { stdout } = palimpsest(['report', example]);
    assert.match(stdout, /^ {2}text search \* /m);
    assert.match(stdout, /\* off in prepareMessages unless asked for: \{ textSearch: true \}/);
    assert.doesNotMatch(stdout, /^ {2}(orphans|terminal|file reads) \*/m);
    const { sessions } = JSON.parse(palimpsest(['report', '--json', example]).stdout);
    assert.deepEqual(sessions[0].onByDefault, ['orphans', 'terminal', 'fileReads']);
  });

  test('units are UTF-16 units of content, parts, reasoning and calls, and images are counted separately', () => {
    const image = `data:image/png;base64,${'A'.repeat(1000)}`;
    const messages = [
      {
        role: 'user',
        content: [
          { type: 'text', text: '你好😀' },
          { type: 'image_url', image_url: { url: image } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        reasoning_content: 'abc',
        tool_calls: [{ id: 'a', function: { name: 'ls', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'done' },
    ];
    const { sessions } = JSON.parse(palimpsest(['report', '--json', file('parts.json', messages)]).stdout);
    assert.equal(sessions[0].units.before, 4 + 3 + 2 + 2 + 4);
    assert.deepEqual(sessions[0].images, { count: 1, units: image.length });
  });

  test('several sessions have a row each and a total, and no line is wider than the terminal', () => {
    const files = [file('shell.json', shell), file('会话记录.json', shell), file('third.json', shell)];
    for (const columns of [80, 120]) {
      const { stdout, status } = palimpsest(['report', ...files], { env: { COLUMNS: String(columns) } });
      assert.equal(status, 0);
      const overview = stdout.slice(stdout.lastIndexOf('\nsession')).trim().split('\n');
      assert.deepEqual(
        overview.map((line) => line.split(/\s/)[0]?.slice(0, 5)),
        ['sessi', 'shell', '会话记录.', 'third', '─────', 'total'],
      );
      // A Chinese character takes two cells; where the columns line up, every line is equally wide.
      const widths = overview.map((line) => line.length + (line.match(/[\u4E00-\u9FFF]/g)?.length ?? 0));
      assert.equal(new Set(widths).size, 1, `the columns do not line up:\n${overview.join('\n')}`);
      assert.ok(stdout.split('\n').every((line) => line.length <= columns));
    }
  });

  test('the report prints that a session has no timestamps, and treats all ages as exceeded', () => {
    const messages = shell.map(({ timestamp: _, ...message }) => message);
    const { stdout, status } = palimpsest(['report', file('timeless.json', messages)]);
    assert.equal(status, 0);
    assert.match(stdout, /no message has a timestamp/);
    const { sessions } = JSON.parse(palimpsest(['report', '--json', 'timeless.json']).stdout);
    assert.equal(sessions[0].now, null);
    // The newest five results are kept whatever their age.
    assert.equal(sessions[0].changed, sessions[0].toolResults - 5);
    assert.equal(sessions[0].unknownAges, sessions[0].toolResults);
  });

  test('the report reads times in seconds and in ISO 8601, and notes those in seconds', () => {
    const seconds = shell.map(({ timestamp, ...message }) => ({ ...message, timestamp: timestamp / 1000 }));
    const iso = shell.map(({ timestamp, ...message }) => ({
      ...message,
      createdAt: new Date(timestamp).toISOString(),
    }));
    const read = (/** @type {string} */ name, /** @type {object[]} */ messages) =>
      JSON.parse(palimpsest(['report', '--json', file(name, messages)]).stdout).sessions[0];
    const [plain, fromSeconds, fromIso] = [read('ms.json', shell), read('s.json', seconds), read('iso.json', iso)];
    for (const report of [fromSeconds, fromIso]) {
      assert.deepEqual(
        [report.changed, report.now, report.timestamps.last],
        [plain.changed, plain.now, plain.timestamps.last],
      );
    }
    assert.deepEqual([plain.secondsTimes, fromSeconds.secondsTimes, fromIso.secondsTimes], [0, plain.toolResults, 0]);
    const { stdout } = palimpsest(['report', 's.json']);
    assert.match(stdout.replace(/\s+/g, ' '), /with a time in seconds/);
  });

  test('R11.1 messages in camelCase give the same report as those in snake_case', () => {
    const camel = shell.map((message) => camelCase(message, 'flat'));
    const read = (/** @type {string} */ name) => JSON.parse(palimpsest(['report', '--json', name]).stdout).sessions[0];
    const { file: _, durationMs: __, ...expected } = read(file('snake.json', shell));
    const { file: ___, durationMs: ____, ...actual } = read(file('camel.json', camel));
    assert.deepEqual(actual, expected);
  });

  test('R0.7 report and tokens print how many messages are unrecognised, and count their tokens', () => {
    const unknown = { role: 'user', content: [{ type: 'hologram', data: 'the port is 8443 '.repeat(400) }] };
    const unrecognised = 4;
    const messages = [...foreignForms(2).bedrock, ...Array(unrecognised).fill(unknown)];
    const name = file('holograms.json', messages);
    const note = new RegExp(`${unrecognised} of ${messages.length} messages not recognised \\(.*\\)`);
    for (const command of ['report', 'tokens']) {
      assert.match(palimpsest([command, name]).stdout.replace(/\s+/g, ' '), note, command);
      const [session] = JSON.parse(palimpsest([command, '--json', name]).stdout).sessions;
      assert.deepEqual(session.unrecognisedForms, { other: unrecognised }, command);
      assert.equal(session.unrecognised, unrecognised);
    }
    const [counted] = JSON.parse(palimpsest(['tokens', '--json', name]).stdout).sessions;
    assert.ok(counted.tokens > 1000, 'unrecognised messages have tokens');
  });

  test('R11.1 report and tokens find the same results and calls in every dialect', () => {
    for (const [form, messages] of Object.entries(foreignForms(8))) {
      if (form === 'ui') continue;
      const name = file(`${form}.json`, messages);
      const [session] = JSON.parse(
        palimpsest(['report', '--json', name, '--terminal-tools', 'grep'], { env: { BASH_MAX_OUTPUT_LENGTH: '10' } })
          .stdout,
      ).sessions;
      assert.deepEqual([session.toolResults, session.byRule.terminal.changed, session.unrecognised], [8, 3, 0], form);
      assert.equal(session.coverage.byRule.terminal, 8, form);
      assert.equal(session.resultSavings.truncating.results, 8, form);
      const [counted] = JSON.parse(palimpsest(['tokens', '--json', name]).stdout).sessions;
      assert.deepEqual([counted.byKind['tool results'].messages, counted.byKind['tool calls'].messages], [8, 8], form);
    }
  });

  test('the report names tools that no rule covers, and the options that it suggests cover them', () => {
    const reads = session('read_source_file', 9, () => ({ arguments: { file_path: '/a/b.ts' } }));
    const { stdout } = palimpsest(['report', file('reads.json', reads)]);
    assert.match(stdout, /no rule covers 9 results of read_source_file/);
    assert.match(stdout.replace(/\s+/g, ' '), /try --read-tools read_source_file --path-keys file_path/);
    const words = ['report', '--json', 'reads.json', '--read-tools', 'read_source_file', '--path-keys', 'file_path'];
    const { sessions } = JSON.parse(palimpsest(words).stdout);
    assert.equal(sessions[0].byRule.fileReads.changed, 4);
    assert.deepEqual(sessions[0].coverage.uncovered, []);
  });

  test('every rule replaces something in the example session', () => {
    const { stdout, status } = palimpsest(['report', '--json', example]);
    assert.equal(status, 0);
    const [{ byRule, projectRoot, estimatedTokens }] = JSON.parse(stdout).sessions;
    for (const name of ['orphans', 'terminal', 'fileReads', 'textSearch']) {
      assert.ok(byRule[name].changed > 0, `${name} changed nothing in the example`);
    }
    assert.equal(projectRoot, '/workspace/palimpsest');
    assert.ok(estimatedTokens.after < estimatedTokens.before);
    assert.ok(Object.keys(byRule.fileReads.byPath).every((path) => !path.startsWith('/')));
  });

  test('the report prints no escape sequence of a file name', {
    skip: process.platform === 'win32',
  }, () => {
    const { stdout } = palimpsest(['report', file('clear\u001B[2Jname.json', shell)]);
    assert.ok(!stdout.includes('\u001B'));
  });
});

test('R3 the units removed by the orphan rule are the units before minus those after', () => {
  const call = { id: 'x', type: 'function', function: { name: 'grep', arguments: '{"a":1}' } };
  const orphans = [
    { role: 'assistant', content: 'abc', reasoning_content: 'because', tool_calls: [call] },
    { role: 'tool', tool_call_id: 'y', content: [{ type: 'text', text: 'a part' }] },
  ];
  const { sessions } = JSON.parse(palimpsest(['report', '--json', file('orphans.json', orphans)]).stdout);
  assert.equal(sessions[0].byRule.orphans.unitsRemoved, sessions[0].units.before - sessions[0].units.after);
});

describe('options of palimpsest report', () => {
  /** @param {string[]} words */
  const report = (...words) =>
    JSON.parse(palimpsest(['report', '--json', file('shell.json', shell), ...words]).stdout).sessions[0];

  test('--now is the time that ages are compared with, but never before the newest result', () => {
    assert.equal(report('--now', 'last+1h').byRule.terminal.changed, 25);
    assert.equal(report('--now', 'last+1h').now, start + 29 * minute + 60 * minute);
    assert.equal(
      report('--now', String(start)).byRule.terminal.changed,
      14,
      'an earlier time is raised to that of the newest result',
    );
    assert.equal(report('--now', '2026-01-31T01:29:00Z').byRule.terminal.changed, 14);
  });

  test('--keep-recent and --max-age change how many results are outdated', () => {
    assert.equal(report('--keep-recent', '0', '--max-age', '0s').byRule.terminal.changed, 29);
    assert.equal(report('--max-age', '25m').byRule.terminal.changed, 4);
    assert.equal(report('--keep-recent', '20').byRule.terminal.changed, 10);
  });

  test('--terminal-tools replaces the known terminal tools', () => {
    assert.equal(report('--terminal-tools', 'other').byRule.terminal.changed, 0);
    assert.equal(report('--terminal-tools', 'other, terminal-execute').byRule.terminal.changed, 14);
  });

  test('R1.5 with --errors seed a failed command without stderr is outdated', () => {
    const failed = session('bash', 8, () => ({ content: '{"stdout":"","stderr":"","exitCode":1}' }));
    const words = ['report', '--json', file('failed.json', failed), '--now', 'last+1h'];
    /** @param {string[]} options */
    const changed = (...options) =>
      JSON.parse(palimpsest([...words, ...options]).stdout).sessions[0].byRule.terminal.changed;
    assert.equal(changed(), 0);
    assert.equal(changed('--errors', 'seed'), 3);
  });

  test('with --project-root an absolute and a relative path are the same file', () => {
    const reads = session('filesystem-read', 8, (index) => ({
      arguments: { filePath: index % 2 ? 'a.ts' : '/w/p/a.ts' },
    }));
    const words = ['report', '--json', file('mixed.json', reads)];
    assert.equal(JSON.parse(palimpsest(words).stdout).sessions[0].byRule.fileReads.changed, 0);
    const [rooted] = JSON.parse(palimpsest([...words, '--project-root', '/w/p']).stdout).sessions;
    assert.equal(rooted.byRule.fileReads.changed, 3);
  });

  test('a wrong option exits with 2, and the error names it', () => {
    const cases = [
      [['--now', 'yesterday'], /--now.*“yesterday”/],
      [['--max-age', '15'], /--max-age.*“15”/],
      [['--keep-recent', '1.5'], /--keep-recent.*“1\.5”/],
      [['--keep-recent=-1'], /--keep-recent.*“-1”/],
      [['--errors', 'all'], /--errors.*exitCode or seed.*“all”/],
      [['--read-tools', 'a,,b'], /--read-tools.*“a,,b”/],
      [['--frob'], /--frob/],
      [['--now'], /--now/],
    ];
    for (const [words, pattern] of /** @type {[string[], RegExp][]} */ (cases)) {
      const { status, stdout, stderr } = palimpsest(['report', 'shell.json', ...words]);
      assert.equal(status, 2, words.join(' '));
      assert.equal(stdout, '');
      assert.match(stderr, pattern);
    }
  });
});

describe('palimpsest report with files that are not sessions', () => {
  test('the report names the file and line of an error, covers the other files and exits with 1', () => {
    const broken = file(
      'broken.json',
      '[\n  {"role": "user", "content": "hi"},\n  {"role": "user" "content": "no"}\n]\n',
    );
    const { status, stdout, stderr } = palimpsest(['report', broken, 'missing.json', file('shell.json', shell)]);
    assert.equal(status, 1);
    assert.match(stderr, /broken\.json:3:19: expected "," or "}"; got "\\""/);
    assert.match(stderr, /missing\.json: .*no such file/);
    assert.match(stdout, /^shell\.json$/m);
  });

  test('--json lists errors with file, line and message next to the sessions', () => {
    const lines = file('broken.jsonl', '{"role":"user","content":"hi"}\n\n{"role":"user",\n');
    const { status, stdout } = palimpsest(['report', '--json', lines, file('shell.json', shell)]);
    assert.equal(status, 1);
    const { sessions, errors } = JSON.parse(stdout);
    assert.equal(sessions.length, 1);
    assert.equal(errors.length, 1);
    assert.equal(errors[0].file, 'broken.jsonl');
    assert.equal(errors[0].line, 3);
    assert.match(errors[0].message, /expected .* got the end of the text/s);
  });
});

const missing = existsSync(corpus) ? false : `there is no corpus at ${corpus}`;
test('the report covers every session of the corpus, and no session has more units after cleanup', {
  skip: process.env.CI === 'true' ? false : missing,
}, () => {
  const files = readdirSync(corpus).filter((name) => name.endsWith('.json'));
  const { status, stdout, stderr } = palimpsest([
    'report',
    '--json',
    '--now',
    'last+1h',
    ...files.map((name) => join(corpus, name)),
  ]);
  // After a second the command prints its progress.
  assert.match(stderr, /^(?:\d+ of \d+: .*\n)*$/);
  assert.equal(status, 0);
  const { sessions } = JSON.parse(stdout);
  assert.equal(sessions.length, files.length);
  for (const { file: name, units } of sessions) assert.ok(units.after <= units.before, name);
});
