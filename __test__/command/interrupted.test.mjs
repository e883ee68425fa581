// @ts-check
/** Ctrl-C during a long `simulate`: the command prints the finished files and restores the terminal. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { command, directory } from '../support/command.mjs';

const fileCount = 600;
const folder = join(directory, 'long-work');
/** `--hindsight` would take minutes if it weren't interrupted. */
const words = ['simulate', '--hindsight', folder];

/** A message list with many outdated results. @param {number} number */
function session(number) {
  const turns = Array.from({ length: 200 }, (_, at) => {
    const call = { id: `c${at}`, type: 'function', function: { name: 'read_file', arguments: '{"path":"a"}' } };
    return [
      {
        role: 'assistant',
        content: '',
        tool_calls: [call],
        usage: { prompt_tokens: 1_000 + at * 500, completion_tokens: 1 },
      },
      { role: 'tool', tool_call_id: `c${at}`, content: `${number} ${at} `.repeat(150) },
    ];
  });
  return JSON.stringify([{ role: 'user', content: 'go on' }, ...turns.flat()]);
}

/** @param {import('node:child_process').ChildProcess} child @returns {Promise<{ code: number | null, signal: string | null }>} */
function exitOf(child) {
  return new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal })));
}

/** @param {import('node:stream').Readable} stream */
function collectText(stream) {
  const output = { text: '' };
  stream.setEncoding('utf8').on('data', (chunk) => {
    output.text += chunk;
  });
  return output;
}

describe('Ctrl-C', {
  skip: process.platform === 'win32' ? 'Windows sends no SIGINT to another process' : false,
}, () => {
  before(() => {
    mkdirSync(folder, { recursive: true });
    for (let number = 0; number < fileCount; number += 1) {
      writeFileSync(join(folder, `s${String(number).padStart(4, '0')}.json`), session(number));
    }
  });

  test('the command finishes the files in progress, counts the unread ones and exits with 130', async () => {
    // Prints when the command installs its signal handler: an earlier signal would end the process.
    const listening = `data:text/javascript,process.on('newListener',n=>n==='SIGINT'&&process.stderr.write('listening'))`;
    const child = spawn(process.execPath, ['--import', listening, command, ...words, '--json']);
    const [stdout, stderr] = [collectText(child.stdout), collectText(child.stderr)];
    child.stderr.on('data', (chunk) => {
      if (String(chunk).includes('listening')) setTimeout(() => child.kill('SIGINT'), 400);
    });
    assert.deepEqual(await exitOf(child), { code: 130, signal: null });
    const { files: finished, notRead } = JSON.parse(stdout.text);
    assert.equal(finished.length + notRead, fileCount);
    assert.ok(notRead > 0 && notRead <= fileCount);
    assert.ok(finished.every((/** @type {any} */ { sessions }) => sessions[0].simulations[0].policies.length === 9));
    assert.match(stderr.text, new RegExp(`interrupted: ${notRead} files weren’t read`));
  });

  const noTerminal = () =>
    process.platform !== 'linux' || spawnSync('script', ['--version']).error !== undefined
      ? 'the program “script” of util-linux is needed for a terminal'
      : false;

  test('the command clears its progress bar on a terminal, after one Ctrl-C and after two', {
    skip: noTerminal(),
  }, async () => {
    for (const isSentTwice of [false, true]) {
      const line = [process.execPath, command, ...words, '--csv'].map((word) => `'${word}'`).join(' ');
      const child = spawn('script', ['-qec', line, '/dev/null']);
      const output = collectText(child.stdout);
      let isSent = false;
      child.stdout.on('data', () => {
        if (!isSent && /[█░]+ \d+ %/.test(output.text)) {
          isSent = true;
          child.stdin.write('\u0003');
          if (isSentTwice) child.stdin.write('\u0003');
        }
      });
      assert.deepEqual(await exitOf(child), { code: 130, signal: null });
      assert.match(output.text, /░ \d+ % {2}\d+ of 600 files/);
      const bar = Math.max(output.text.lastIndexOf('█'), output.text.lastIndexOf('░'));
      assert.ok(output.text.indexOf('\r\u001B[K', bar) > bar, 'the line of the bar is cleared');
      assert.equal(output.text.includes('\u001B[?25l'), false, 'the cursor is never hidden');
    }
  });
});
