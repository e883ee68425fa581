// @ts-check
/** `palimpsest/opencode` in a simulated opencode: requests, its state file, its settings and its output. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Conversations } from '../../lib/adapters/conversations.js';
import { assertFaultsRestoreNothing, placeholderCountIn, runSixPrompts } from '../support/adapters/coding-agents.mjs';
import { OpencodeProcess, OpencodeSession, StateFolder } from '../support/adapters/opencode-host.mjs';
import { sharedPrefix } from '../support/adapters/tool-loop.mjs';

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 5, 9);
const STEPS = 12;
/** @type {StateFolder} */
let folder;

beforeEach(() => {
  folder = new StateFolder();
  mock.timers.enable({ apis: ['Date'], now: START });
});
afterEach(() => {
  mock.timers.reset();
  folder.remove();
});

/** @param {readonly any[]} messages */
const lengthOf = (messages) => JSON.stringify(messages.map(({ parts }) => parts)).length;

/**
 * A prompt with {@link STEPS} tool calls.
 * @param {OpencodeProcess} agent
 * @param {number} prompt
 * @param {(request: number) => void} [beforeRequest]
 * @param {number} [factor] reported tokens per sent token
 * @returns {Promise<any[][]>} the messages of each request
 */
async function runPrompt(agent, prompt, beforeRequest, factor = 1) {
  const requests = [];
  agent.session.ask(`Prompt ${prompt}`);
  for (let step = 0; step <= STEPS; step++) {
    beforeRequest?.(prompt * (STEPS + 1) + step);
    const sent = await agent.request();
    requests.push(sent);
    mock.timers.tick(20_000);
    const read = Math.round((factor * lengthOf(sent)) / 4);
    const tokens = { input: 3, output: 20, reasoning: 0, cache: { read, write: 500 }, total: read + 523 };
    if (step === STEPS) {
      await agent.add(tokens, [{ type: 'text', text: 'Done.' }]);
      break;
    }
    const path = `src/part-${step % 3}.js`;
    const output = Array.from({ length: 200 }, (_, line) => `line ${line} of ${path} at ${prompt}`).join('\n');
    const time = { start: Date.now(), end: Date.now() };
    const state = { status: 'completed', input: { command: `cat ${path}` }, output, title: path, metadata: {}, time };
    await agent.add(tokens, [{ type: 'tool', tool: 'bash', callID: `call_${prompt}_${step}`, state }]);
  }
  return requests;
}

/** The bytes that a provider's cache compares. @param {readonly any[]} messages */
const bytesOf = (messages) =>
  messages.map(({ info, parts }) =>
    JSON.stringify([info.role, parts.map(({ type, text, callID, state }) => [type, text, callID, state?.output])]),
  );

/** @param {readonly any[]} messages */
const placeholderCount = (messages) => placeholderCountIn(bytesOf(messages));

/** @param {readonly any[]} previous @param {readonly any[]} sent */
const startsWith = (previous, sent) => sharedPrefix(bytesOf(previous), bytesOf(sent)) === previous.length;

/** @param {() => OpencodeProcess | Promise<OpencodeProcess>} agentFor */
const runSession = (agentFor) => runSixPrompts(agentFor, runPrompt);

/** @param {OpencodeSession} stored @param {Record<string, unknown>} [options] */
const startAgent = (stored, options) => OpencodeProcess.start(stored, folder.environment, options);

describe('palimpsest/opencode', () => {
  test('R13.2 outdated results are replaced in the request, and the messages that opencode stores are unchanged', async () => {
    const stored = new OpencodeSession();
    const agent = await startAgent(stored, { showStatus: false });
    const sent = (await runSession(async () => agent)).at(-1) ?? [];
    assert.ok(placeholderCount(sent) > 10, `${placeholderCount(sent)} placeholders`);
    assert.equal(placeholderCount(stored.messages), 0);
    assert.deepEqual(agent.notes, []);
  });

  test('R15.2 a session continued in a new process sends the same bytes', async () => {
    const agent = await startAgent(new OpencodeSession());
    const expected = await runSession(async () => agent);
    mock.timers.reset();
    mock.timers.enable({ apis: ['Date'], now: START });
    folder.remove();
    const stored = new OpencodeSession();
    const requests = await runSession(() => startAgent(stored));
    assert.deepEqual(requests.map(bytesOf), expected.map(bytesOf));
  });

  test('R10.1 if every third call of the plug-in fails, removed results stay removed, also in a new process', async () => {
    const stored = new OpencodeSession();
    await assertFaultsRestoreNothing(() => startAgent(stored, { showStatus: false }), runPrompt, bytesOf);
  });

  test('R13.2 a request that is prepared too late repeats the last replacements, and the state file keeps them', async (context) => {
    const stored = new OpencodeSession();
    const last = (await runSession(() => startAgent(stored))).at(-1) ?? [];
    // Its view would remove less.
    const agent = await startAgent(stored, { repeatedCommands: false });
    const readState = () => readFileSync(join(folder.path, 'opencode/palimpsest/ses_1.jsonl'), 'utf8');
    const state = readState();
    const { prepare } = Conversations.prototype;
    const latenessMs = 100;
    context.mock.method(
      Conversations.prototype,
      'prepare',
      /** @this {any} @param {any[]} given */ async function (...given) {
        const request = await prepare.apply(this, /** @type {any} */ (given));
        await delay(latenessMs);
        return request;
      },
    );
    stored.ask('And now?');
    const sent = await agent.request();
    await delay(2 * latenessMs);
    assert.ok(startsWith(last, sent));
    assert.equal(readState(), state);
  });

  test("R15.3 a state folder that can't be written stops no request", async () => {
    const agent = await OpencodeProcess.start(new OpencodeSession(), { XDG_STATE_HOME: '/dev/null/nowhere' });
    const sent = (await runSession(async () => agent)).at(-1) ?? [];
    assert.ok(sent.length > 70);
  });

  test("the request for opencode's own summary is sent unchanged, and does not change the session's next request", async () => {
    const agent = await startAgent(new OpencodeSession());
    const last = (await runSession(async () => agent)).at(-1) ?? [];
    await agent.hooks['experimental.session.compacting']?.({ sessionID: 'ses_1' }, { context: [] });
    const firstMessages = structuredClone(agent.session.messages.slice(0, 40));
    const messages = [...firstMessages];
    await agent.hooks['experimental.chat.messages.transform']?.({}, { messages });
    assert.deepEqual(messages, firstMessages);
    assert.ok(startsWith(last, await agent.request()));
  });

  test('a result that opencode itself has cleared is sent unchanged', async () => {
    const stored = new OpencodeSession();
    const agent = await startAgent(stored);
    await runSession(async () => agent);
    const cleared = stored.messages.filter(({ parts }) => parts[0].type === 'tool').slice(0, 8);
    for (const { parts } of cleared) parts[0].state.time.compacted = Date.now();
    mock.timers.tick(30 * MINUTE);
    const sent = await agent.request();
    for (const { info } of cleared) {
      const [storedMessage, sentMessage] = [stored.messages, sent].map((messages) =>
        messages.find((/** @type {any} */ message) => message.info.id === info.id),
      );
      assert.deepEqual(sentMessage, storedMessage);
    }
  });

  test("opencode summarises once the unmodified history would have filled the window, and with compactLater it doesn't", async () => {
    for (const compactLater of [false, true]) {
      const agent = await startAgent(new OpencodeSession(), { compactLater });
      let summaryPrompt = -1;
      for (let prompt = 0; prompt < 8 && summaryPrompt < 0; prompt++) {
        mock.timers.tick(30 * MINUTE);
        const sent = await runPrompt(agent, prompt, undefined, 3);
        if (agent.summaries.length === 0) continue;
        summaryPrompt = prompt;
        const unmodifiedTokens = (3 * lengthOf(agent.session.messages)) / 4;
        assert.ok(
          unmodifiedTokens > 150_000 && (3 * lengthOf(sent.at(-1) ?? [])) / 4 < unmodifiedTokens,
          `${unmodifiedTokens}`,
        );
      }
      assert.equal(summaryPrompt > 0, !compactLater);
      if (compactLater) continue;
      assert.deepEqual(agent.summaries[0], {
        path: { id: 'ses_1' },
        body: { providerID: 'mock', modelID: 'claude-mock', auto: true },
      });
      assert.equal(agent.summaries.length, 1);
    }
  });

  test('the note and the command show what is sent, saved and removed, and the command sends no request', async () => {
    const agent = await startAgent(new OpencodeSession());
    assert.match(agent.config.command.palimpsest.description, /leaves out/);
    const runCommand = () =>
      agent.hooks['command.execute.before']?.({ command: 'palimpsest', sessionID: 'ses_1', arguments: '' }, {}) ??
      Promise.resolve();
    await assert.rejects(runCommand(), /nothing is sent/);
    assert.match(agent.notes.at(-1) ?? '', /no request/);
    await runSession(async () => agent);
    assert.match(
      agent.notes.at(-1) ?? '',
      /^palimpsest: \d+ % of window · saved \d+ % \(\$\d+\.\d\d\) · cached until \d\d:\d\d$/,
    );
    await assert.rejects(runCommand(), /nothing is sent/);
    assert.match(
      agent.notes.at(-1) ?? '',
      /removed: \d+ results, \d+ tokens, in \d+ changes.*pending: .*cost: \d+ tokens/s,
    );
  });

  test('deleting a session deletes its state file', async () => {
    const agent = await startAgent(new OpencodeSession());
    await runSession(async () => agent);
    const files = join(folder.path, 'opencode/palimpsest');
    assert.deepEqual(readdirSync(files), ['ses_1.jsonl']);
    await agent.emit('session.deleted', { info: { id: 'ses_1' } });
    assert.ok(!existsSync(join(files, 'ses_1.jsonl')));
  });

  test('PALIMPSEST=off disables the plug-in, and a misspelt setting disables it with one message', async () => {
    const off = await OpencodeProcess.start(new OpencodeSession(), { ...folder.environment, PALIMPSEST: 'off' });
    assert.deepEqual(off.hooks, {});
    const misspelt = await startAgent(new OpencodeSession(), { prize: 'openai' });
    assert.deepEqual(Object.keys(misspelt.hooks), ['event']);
    for (let nth = 0; nth < 2; nth++) await misspelt.emit('session.status', {});
    assert.equal(misspelt.notes.length, 1);
    assert.match(misspelt.notes[0] ?? '', /off, since its settings can't be read: .*`prize`; did you mean `price`/);
  });
});
