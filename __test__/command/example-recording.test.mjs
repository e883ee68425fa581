// @ts-check
/** Checks `examples/session.json` and a fresh recording by `examples/record.mjs`, which must work on any clone. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const recorder = join(repository, 'examples', 'record.mjs');
const committed = join(repository, 'examples', 'session.json');
const directory = mkdtempSync(join(tmpdir(), 'palimpsest-example-'));
after(() => rmSync(directory, { recursive: true, force: true }));

/** @typedef {{ role: string, content: string, timestamp: number, tool_calls?: { id: string, function: { name: string, arguments: string } }[], tool_call_id?: string, messageStatus?: string }} Message */

/** @param {string[]} words */
function record(...words) {
  return spawnSync(process.execPath, [recorder, ...words], { encoding: 'utf8', timeout: 120_000 });
}

/**
 * @param {Message[]} messages
 * @param {string} tool
 */
function resultsOf(messages, tool) {
  const calls = new Map(
    messages.flatMap((message) => message.tool_calls ?? []).map((call) => [call.id, call.function]),
  );
  return messages.flatMap((message) => {
    const call = message.role === 'tool' ? calls.get(message.tool_call_id ?? '') : undefined;
    return call?.name === tool ? [{ arguments: JSON.parse(call.arguments), message }] : [];
  });
}

const fresh = join(directory, 'session.json');
const recording = record('--pace', '0', '--out', fresh);

for (const [which, path] of [
  ['a fresh recording', fresh],
  ['the committed recording', committed],
]) {
  describe(/** @type {string} */ (which), () => {
    /** @type {{ source: Record<string, unknown>, messages: Message[] }} */
    const { source, messages } = JSON.parse(readFileSync(/** @type {string} */ (path), 'utf8'));

    test('every result follows its call, and only the interrupted call is unanswered', () => {
      const declared = new Set();
      for (const message of messages) {
        for (const call of message.tool_calls ?? []) declared.add(call.id);
        if (message.role === 'tool') assert.ok(declared.delete(message.tool_call_id), message.tool_call_id);
      }
      assert.equal(declared.size, 1);
    });

    test('timestamps never decrease', () => {
      for (const [index, { timestamp }] of messages.entries()) {
        assert.ok(Number.isInteger(timestamp));
        assert.ok(index === 0 || timestamp >= /** @type {Message} */ (messages[index - 1]).timestamp);
      }
    });

    test('terminal results are JSON with output and exit code, and some commands fail', () => {
      const results = resultsOf(messages, 'terminal-execute').map(({ message }) => JSON.parse(message.content));
      for (const result of results) {
        assert.deepEqual(Object.keys(result), ['stdout', 'stderr', 'exitCode', 'command']);
        assert.equal(typeof result.exitCode, 'number');
      }
      assert.ok(results.some(({ exitCode, stderr }) => exitCode !== 0 && stderr === ''));
      assert.ok(results.some(({ exitCode, stderr }) => exitCode !== 0 && stderr !== ''));
      assert.ok(results.some(({ stdout }) => /[\u4E00-\u9FFF]/.test(stdout)));
    });

    test('index.d.ts is read at least eight times by several paths, other files in batches', () => {
      const reads = resultsOf(messages, 'filesystem-read');
      const names = reads.map((read) => read.arguments.filePath).filter((name) => /(?:^|\/)index\.d\.ts$/.test(name));
      assert.ok(names.length >= 8);
      assert.ok(new Set(names).size >= 4);
      assert.ok(reads.some((read) => Array.isArray(read.arguments.filePath)));
      assert.ok(
        reads.some(({ message }) => message.messageStatus === 'error' && message.content.startsWith('Error: ')),
      );
      assert.ok(reads.some(({ message }) => /^📄 \S+ \(lines \d+-\d+\/\d+\)\n\d+→/.test(message.content)));
    });

    test('the recording contains neither the repository’s path nor the home directory', () => {
      const text = readFileSync(/** @type {string} */ (path), 'utf8');
      for (const place of [repository.replace(/[\\/]$/, ''), homedir()]) assert.ok(!text.includes(place), place);
      assert.equal(source.projectRoot, '/workspace/palimpsest');
    });

    test('the recording describes its clock and has at most 120 messages and 300 KB', () => {
      assert.match(String(source.clock), /real durations, plus \d+ s of stated think-time/);
      assert.ok(statSync(/** @type {string} */ (path)).size < 300 * 1024);
      assert.ok(messages.length >= 60 && messages.length <= 120);
    });
  });
}

test('the recorder exits with 0 and prints how many messages it wrote', () => {
  assert.equal(recording.status, 0);
  assert.match(recording.stderr, /^\d+ messages written to /);
});

test('the recorder exits with 1 if --pace is not a number of seconds', () => {
  const { status, stderr } = record('--pace', 'fast', '--out', join(directory, 'none.json'));
  assert.equal(status, 1);
  assert.match(stderr, /--pace: expected a number of seconds.*“fast”/);
});
