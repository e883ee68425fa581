// @ts-check
/** Ctrl-C in the middle of long work: it ends with what is done, and leaves the terminal as it was. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { command, directory } from '../support/command.mjs';

const files = 600;
const folder = join(directory, 'long-work');
/** Minutes of work, were it not interrupted: hindsight is searched for. */
const words = ['simulate', '--hindsight', folder];

/** A message list of many outdated results. @param {number} number */
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
function ended(child) {
  return new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal })));
}

/** @param {import('node:stream').Readable} stream */
function gathered(stream) {
  const all = { text: '' };
  stream.setEncoding('utf8').on('data', (chunk) => {
    all.text += chunk;
  });
  return all;
}

describe('Ctrl-C', {
  skip: process.platform === 'win32' ? 'Windows sends no SIGINT to another process' : false,
}, () => {
  before(() => {
    mkdirSync(folder, { recursive: true });
    for (let number = 0; number < files; number += 1) {
      writeFileSync(join(folder, `s${String(number).padStart(4, '0')}.json`), session(number));
    }
  });

  test('the files under way are finished, the others are counted, and the exit code says so', async () => {
    // Says when the command begins to listen: a signal before that would simply end it.
    const listening = `data:text/javascript,process.on('newListener',n=>n==='SIGINT'&&process.stderr.write('listening'))`;
    const child = spawn(process.execPath, ['--import', listening, command, ...words, '--json']);
    const [stdout, stderr] = [gathered(child.stdout), gathered(child.stderr)];
    child.stderr.on('data', (chunk) => {
      if (String(chunk).includes('listening')) setTimeout(() => child.kill('SIGINT'), 400);
    });
    assert.deepEqual(await ended(child), { code: 130, signal: null });
    const { files: done, notRead } = JSON.parse(stdout.text);
    assert.equal(done.length + notRead, files);
    assert.ok(notRead > 0 && notRead <= files);
    assert.ok(done.every((/** @type {any} */ { sessions }) => sessions[0].simulations[0].policies.length === 9));
    assert.match(stderr.text, new RegExp(`interrupted: ${notRead} files weren’t read`));
  });

  const noTerminal = () =>
    process.platform !== 'linux' || spawnSync('script', ['--version']).error !== undefined
      ? 'the program “script” of util-linux is needed for a terminal'
      : false;

  test('on a terminal the progress bar is gone afterwards, also when asked to end twice', {
    skip: noTerminal(),
  }, async () => {
    for (const twice of [false, true]) {
      const line = [process.execPath, command, ...words, '--csv'].map((word) => `'${word}'`).join(' ');
      const child = spawn('script', ['-qec', line, '/dev/null']);
      const output = gathered(child.stdout);
      let sent = 0;
      child.stdout.on('data', () => {
        if (sent === 0 && /[█░]+ \d+ %/.test(output.text)) {
          sent += 1;
          child.stdin.write('\u0003');
          if (twice) child.stdin.write('\u0003');
        }
      });
      assert.deepEqual(await ended(child), { code: 130, signal: null });
      assert.match(output.text, /░ \d+ % {2}\d+ of 600 files/);
      const bar = Math.max(output.text.lastIndexOf('█'), output.text.lastIndexOf('░'));
      assert.ok(output.text.indexOf('\r\u001B[K', bar) > bar, 'the line of the bar is cleared');
      assert.equal(output.text.includes('\u001B[?25l'), false, 'the cursor is never hidden');
    }
  });
});
