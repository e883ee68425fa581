// @ts-check
/** The package in worker threads, and what an import of it does to a process. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

const worker = new URL('../fixtures/worker.mjs', import.meta.url);
const entry = fileURLToPath(new URL('../../index.js', import.meta.url));

/** @param {string} name @param {number} rounds */
function start(name, rounds) {
  const thread = new Worker(worker, { workerData: { name, rounds } });
  /** @type {{ name: string, changed: number, events: number }[]} */
  const received = [];
  thread.on('message', (message) => received.push(message));
  return { thread, received };
}

/** @param {string[]} args */
function run(...args) {
  return spawnSync(process.execPath, args, {
    encoding: 'utf8',
    timeout: 20_000,
    env: { ...process.env, PALIMPSEST_LOG: '' },
  });
}

describe('R0.6 worker threads', () => {
  it('run two at once, and each gets its own results and log events', async () => {
    const one = start('one', 200);
    const two = start('two', 200);
    await Promise.all([once(one.thread, 'exit'), once(two.thread, 'exit')]);
    for (const { received } of [one, two]) {
      assert.equal(received.length, 200);
      assert.ok(received.every(({ changed }) => changed === 395));
      assert.equal(received.at(-1)?.events, 200, 'a thread gets the events of its own calls only');
    }
  });

  it('go on while another one is terminated during a call', async () => {
    const doomed = start('doomed', 1e9);
    const other = start('other', 100);
    await once(doomed.thread, 'message');
    await doomed.thread.terminate();
    await once(other.thread, 'exit');
    assert.equal(other.received.length, 100);
  });
});

describe('R0.5 R0.6 a process that imports the package', () => {
  it('writes nothing to stdout or stderr, and ends by itself', () => {
    const script = `const p = require(${JSON.stringify(entry)});
      const messages = Array.from({ length: 50 }, (_, i) => ({ role: 'tool', content: '{"stdout":"x"}', timestamp: i }));
      p.simplifyOutdatedTerminalResults(messages); p.prepareMessages([{ role: 'tool', tool_call_id: 'x' }]);
      try { p.simplifyToolResults(messages, [{}]); } catch {}`;
    const { status, stdout, stderr } = run('-e', script);
    assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: '', stderr: '' });
  });

  it('starts no thread and reads no PALIMPSEST variable during the import', () => {
    const script = `const { readdirSync } = require('node:fs');
      const threads = () => readdirSync('/proc/self/task').length;
      const read = []; const env = process.env;
      Object.defineProperty(process, 'env', { value: new Proxy(env, { get: (target, key) => (read.push(key), target[key]) }) });
      const before = threads(); require(${JSON.stringify(entry)});
      console.log(JSON.stringify({ threads: threads() - before, read: read.filter((key) => String(key).startsWith('PALIMPSEST')) }));`;
    const { stdout, stderr } = run('-e', script);
    assert.deepEqual(JSON.parse(stdout || 'null'), { threads: 0, read: [] }, stderr);
  });
});
