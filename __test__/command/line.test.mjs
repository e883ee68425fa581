// @ts-check
/** The `palimpsest` command apart from its subcommands: help, version, completion, unknown words, pipes. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { claudeCode } from '../support/claude-code.mjs';
import { command, directory, file, palimpsest, repository, shell } from '../support/command.mjs';

const commands = ['report', 'simulate', 'sessions', 'tokens', 'view', 'truncate', 'sanitize', 'completion'];

describe('the palimpsest command', () => {
  test('no line of help, tables or notes is wider than a terminal of 80 columns', () => {
    const recorded = file(
      'recorded.jsonl',
      claudeCode([
        { minute: 0, prompt: 'go', reads: { '/home/me/project/src/a.ts': 'x '.repeat(9000) }, usage: [0, 0, 20_000] },
        { minute: 1, prompt: 'on', usage: [0, 0, 20_100] },
        { minute: 30, prompt: 'after a pause', usage: [0, 0, 22_600] },
      ]),
    );
    const printed = [
      [],
      ...['sessions', 'report', 'simulate', 'tokens'].map((name) => [name, recorded]),
      ...commands.map((name) => [name, '--help']),
    ];
    for (const words of printed) {
      const { stdout, stderr } = palimpsest(words, { env: { COLUMNS: '80' } });
      const long = `${stdout}${stderr}`.split('\n').filter((line) => line.length > 80 && line.includes(' '));
      assert.deepEqual(long, [], words.join(' '));
    }
  });

  test('the shell completion offers commands, and only the options of the typed command', () => {
    const complete = (/** @type {string[]} */ ...words) => {
      const script = `eval "$1"; COMP_WORDS=(palimpsest ${words.join(' ')}); COMP_CWORD=${words.length}; _palimpsest; echo "\${COMPREPLY[@]}"`;
      const { stdout } = spawnSync('bash', ['-c', script, 'bash', palimpsest(['completion', 'bash']).stdout], {
        encoding: 'utf8',
      });
      return stdout.trim();
    };
    assert.equal(complete('s'), 'simulate sessions sanitize');
    assert.equal(complete('view', '--ex'), '--export');
    assert.equal(complete('sessions', '--ex'), '');
    assert.equal(complete('view', 'fi'), '', 'the shell itself completes file names');
    for (const shell of ['zsh', 'fish']) {
      const { stdout } = palimpsest(['completion', shell]);
      assert.ok(commands.every((name) => stdout.includes(name)) && stdout.includes('export'), shell);
    }
    assert.deepEqual(palimpsest(['completion', 'cmd']), {
      status: 2,
      stdout: '',
      stderr: 'palimpsest completion: expected one of bash, zsh, fish; got “cmd”\n',
    });
  });

  test('an unknown command exits with 2 and lists the known ones', () => {
    const { status, stderr } = palimpsest(['reprot']);
    assert.equal(status, 2);
    assert.match(stderr, /unknown command “reprot”; expected one of: report/);
  });

  test('--version and --help print to stdout and exit with 0', () => {
    const { version } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
    assert.deepEqual(palimpsest(['--version']), { status: 0, stdout: `${version}\n`, stderr: '' });
    for (const words of [['--help'], ['report', '--help'], ['help', 'report']]) {
      const { status, stdout, stderr } = palimpsest(words);
      assert.deepEqual([status, stderr], [0, '']);
      assert.match(stdout, /^Usage: palimpsest/);
    }
  });

  test('--version and --help need only bin and package.json', () => {
    const alone = join(directory, 'alone');
    for (const part of ['bin', 'package.json']) cpSync(join(repository, part), join(alone, part), { recursive: true });
    for (const words of [['--version'], ['--help'], ...commands.map((name) => [name, '--help'])]) {
      const program = [join(alone, 'bin', 'palimpsest.mjs'), ...words];
      const { status, stderr } = spawnSync(process.execPath, program, { encoding: 'utf8' });
      assert.deepEqual([status, stderr], [0, ''], words.join(' '));
    }
  });

  test('the command exits with 0 if the reader closes the pipe early', {
    skip: process.platform === 'win32',
  }, async () => {
    const many = Array(400).fill(file('shell.json', shell));
    const child = spawn(process.execPath, [command, 'report', ...many], { cwd: directory });
    child.stdout.once('data', () => child.stdout.destroy());
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    const status = await new Promise((resolve) => child.on('close', resolve));
    assert.equal(status, 0);
    assert.ok(!/EPIPE|Error/.test(stderr), stderr);
  });

  test('the command prints no colours into a pipe, even with FORCE_COLOR', () => {
    const { stdout } = palimpsest(['report', file('shell.json', shell)], { env: { FORCE_COLOR: '1' } });
    assert.ok(!stdout.includes('\u001B'));
  });

  test('report reads standard input for “-”', () => {
    const { status, stdout } = palimpsest(['report', '--json', '-'], { input: JSON.stringify(shell) });
    assert.equal(status, 0);
    assert.equal(JSON.parse(stdout).sessions[0].messages, 60);
  });
});
