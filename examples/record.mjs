#!/usr/bin/env node
// @ts-check
/**
 * Records the example session: a scripted agent runs real commands, and reads and searches files in this repository.
 *
 *   node examples/record.mjs [--pace <seconds>] [--out <file>]
 *
 * Durations are real. But a script doesn't think, and a session of a few seconds would never reach the 15 minutes after
 * which a result is outdated. Therefore the clock advances by `--pace` seconds (default 90) before every turn. The
 * file's `source` says so.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { systemPrompt, turns } from './recording/scenario.mjs';
import { readFiles, recordedRoot, runCommand, searchText } from './recording/tools.mjs';

/**
 * @typedef {import('./recording/scenario.mjs').Call} Call
 * @typedef {import('./recording/tools.mjs').Result} Result
 *
 * @typedef {object} RecordedMessage
 * @property {'system' | 'user' | 'assistant' | 'tool'} role
 * @property {string} content
 * @property {number} timestamp
 * @property {string} [reasoning_content]
 * @property {{ id: string, type: 'function', function: { name: string, arguments: string } }[]} [tool_calls]
 * @property {string} [tool_call_id]
 * @property {'error'} [messageStatus]
 */

const usage = 'Usage: node examples/record.mjs [--pace <seconds>] [--out <file>]\n';

/** @returns {{ paceSeconds: number, out: string }} */
function readCommandLine() {
  const { values } = parseArgs({ options: { pace: { type: 'string' }, out: { type: 'string' } } });
  const paceSeconds = Number(values.pace ?? 90);
  if (values.pace?.trim() === '' || !Number.isFinite(paceSeconds) || paceSeconds < 0) {
    throw new RangeError(`--pace: expected a number of seconds, 0 or more; got “${values.pace}”`);
  }
  return { paceSeconds, out: values.out ?? fileURLToPath(new URL('session.json', import.meta.url)) };
}

/**
 * @param {Call} call
 * @returns {Promise<Result | null>} null if the user interrupted it
 */
async function execute(call) {
  switch (call.tool) {
    case 'filesystem-read':
      return readFiles(call.arguments);
    case 'ace-text_search':
      return searchText(call.arguments);
    case 'terminal-execute':
      return runCommand(call.arguments, call.abortAfterMs);
  }
}

/** @param {number} paceMs */
function startRecording(paceMs) {
  let thinking = 0;
  let calls = 0;
  const now = () => Date.now() + thinking;
  /** @type {RecordedMessage[]} */
  const messages = [{ role: 'system', content: systemPrompt, timestamp: now() }];
  return {
    messages,
    think() {
      thinking += paceMs;
    },
    /** @param {'user' | 'assistant'} role @param {string} content */
    say(role, content) {
      messages.push({ role, content, timestamp: now() });
    },
    /** @param {{ say?: string, think?: string, calls: readonly Call[] }} turn */
    async call(turn) {
      const ids = turn.calls.map(() => {
        calls += 1;
        return `call_${String(calls).padStart(4, '0')}`;
      });
      messages.push({
        role: 'assistant',
        content: turn.say ?? '',
        ...(turn.think === undefined ? {} : { reasoning_content: turn.think }),
        tool_calls: turn.calls.map((call, index) => ({
          id: /** @type {string} */ (ids[index]),
          type: 'function',
          function: { name: call.tool, arguments: JSON.stringify(call.arguments) },
        })),
        timestamp: now(),
      });
      for (const [index, call] of turn.calls.entries()) {
        const result = await execute(call);
        if (result === null) continue;
        const { content, status } = result;
        const base = { role: /** @type {const} */ ('tool'), tool_call_id: ids[index], content, timestamp: now() };
        messages.push(status === undefined ? base : { ...base, messageStatus: status });
      }
    },
  };
}

/** @param {number} paceSeconds */
function describeSource(paceSeconds) {
  return {
    title: 'A scripted agent explores the palimpsest repository',
    recordedBy: 'examples/record.mjs',
    recordedAt: new Date().toISOString(),
    platform: `${process.platform} ${process.arch}, Node.js ${process.version}`,
    licence: 'MIT',
    paceSeconds,
    clock: `real durations, plus ${paceSeconds} s of stated think-time before every turn`,
    paths: `the repository's directory reads ${recordedRoot}; home and temporary directories were replaced as well`,
    projectRoot: recordedRoot,
  };
}

async function main() {
  const { paceSeconds, out } = readCommandLine();
  const source = describeSource(paceSeconds);
  const recording = startRecording(paceSeconds * 1000);
  for (const turn of turns) {
    recording.think();
    if ('user' in turn) recording.say('user', turn.user);
    else if ('answer' in turn) recording.say('assistant', turn.answer);
    else await recording.call(turn);
  }
  writeFileSync(out, `${JSON.stringify({ source, messages: recording.messages }, null, 1)}\n`);
  process.stderr.write(`${recording.messages.length} messages written to ${out}\n`);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  process.exitCode = 1;
}
