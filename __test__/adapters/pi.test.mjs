// @ts-check
/** `palimpsest/pi` in a simulated pi: requests, the entries that it writes to the session, its settings and its output. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import { priceOf } from '../../lib/adapters/coding-agents/settings.js';
import { assertFaultsRestoreNothing, placeholderCountIn, runSixPrompts } from '../support/adapters/coding-agents.mjs';
import { MODEL, PiProcess, PiSession } from '../support/adapters/pi-host.mjs';
import { sharedPrefix } from '../support/adapters/tool-loop.mjs';

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 5, 9);
const STEPS = 12;

beforeEach(() => mock.timers.enable({ apis: ['Date'], now: START }));
afterEach(() => mock.timers.reset());

/**
 * A prompt with {@link STEPS} tool calls.
 * @param {PiProcess} agent
 * @param {number} prompt
 * @param {(request: number) => void} [beforeRequest]
 * @returns {Promise<any[][]>} the messages of each request
 */
async function runPrompt(agent, prompt, beforeRequest) {
  const requests = [];
  await agent.add({ role: 'user', content: [{ type: 'text', text: `Prompt ${prompt}` }], timestamp: Date.now() });
  for (let step = 0; step <= STEPS; step++) {
    beforeRequest?.(prompt * (STEPS + 1) + step);
    const sent = await agent.request();
    requests.push(sent);
    mock.timers.tick(20_000);
    const promptTokens = JSON.stringify(sent).length / 4;
    const usage = { input: 3, output: 20, cacheRead: promptTokens, cacheWrite: 500, totalTokens: promptTokens + 523 };
    const timestamp = Date.now();
    const answer = { role: 'assistant', usage, timestamp, stopReason: step < STEPS ? 'toolUse' : 'stop' };
    if (step === STEPS) {
      await agent.add({ ...answer, content: [{ type: 'text', text: 'Done.' }] });
      break;
    }
    const [id, path] = [`call_${prompt}_${step}`, `src/part-${step % 3}.js`];
    const call = { type: 'toolCall', id, name: 'bash', arguments: { command: `cat ${path}` } };
    const text = Array.from({ length: 200 }, (_, line) => `line ${line} of ${path} at ${prompt}`).join('\n');
    await agent.add({ ...answer, content: [call] });
    const content = [{ type: 'text', text }];
    await agent.add({ role: 'toolResult', toolCallId: id, toolName: 'bash', content, isError: false, timestamp });
  }
  return requests;
}

/** The bytes that a provider's cache compares. @param {readonly any[]} messages */
const bytesOf = (messages) => messages.map(({ role, content, summary }) => JSON.stringify([role, content, summary]));

/** @param {readonly any[]} messages */
const placeholderCount = (messages) => placeholderCountIn(bytesOf(messages));

/** A copy with a new call id. @param {any} message */
const withNewCallId = (message) => JSON.parse(JSON.stringify(message).replaceAll('"call_', '"again_'));

/** @param {readonly any[]} previous @param {readonly any[]} sent */
const startsWith = (previous, sent) => sharedPrefix(bytesOf(previous), bytesOf(sent)) === previous.length;

/** @param {() => PiProcess | Promise<PiProcess>} agentFor */
const runSession = (agentFor) => runSixPrompts(agentFor, runPrompt);

describe('palimpsest/pi', () => {
  test("R13.2 outdated results are replaced in the request, and the session gets only entries of the extension's own type", async () => {
    const pi = new PiSession();
    const agent = new PiProcess(pi);
    const sent = (await runSession(() => agent)).at(-1) ?? [];
    assert.ok(placeholderCount(sent) > 10, `${placeholderCount(sent)} placeholders`);
    assert.equal(placeholderCount(pi.messages), 0);
    const types = new Set([...pi.entries.values()].map(({ type, customType }) => customType ?? type));
    assert.deepEqual(types, new Set(['message', 'palimpsest']));
    assert.deepEqual(agent.notes, []);
  });

  test('R15.2 a session continued in a new process sends the same bytes', async () => {
    const agent = new PiProcess(new PiSession());
    const expected = await runSession(() => agent);
    mock.timers.reset();
    mock.timers.enable({ apis: ['Date'], now: START });
    const pi = new PiSession();
    const requests = await runSession(() => new PiProcess(pi));
    assert.deepEqual(requests.map(bytesOf), expected.map(bytesOf));
  });

  test('R10.12 after the user returns to an earlier entry, the results that were removed there stay removed', async () => {
    const pi = new PiSession();
    const agent = new PiProcess(pi);
    await runSession(() => agent);
    const atEntry = await agent.request();
    const entry = pi.leaf;
    const [following] = await runPrompt(agent, 6);
    mock.timers.tick(30 * MINUTE);
    await runPrompt(agent, 7);
    pi.leaf = entry;
    const [afterReturn] = await runPrompt(agent, 8);
    assert.ok(startsWith(atEntry, following ?? []));
    const [original, returned] = [bytesOf(pi.messages), bytesOf(afterReturn ?? [])];
    const keptPlaceholders = bytesOf(atEntry).filter((text, at) => text !== original[at] && text === returned[at]);
    assert.equal(keptPlaceholders.length, placeholderCount(atEntry));
  });

  test('R10.1 if every third call of the extension fails, removed results stay removed, also in a new process', async () => {
    const pi = new PiSession();
    await assertFaultsRestoreNothing(() => new PiProcess(pi), runPrompt, bytesOf);
  });

  test('R15.3 outdated results are removed even if storing facts fails', async () => {
    const pi = new PiSession();
    const append = pi.append.bind(pi);
    pi.append = (/** @type {any} */ entry) => {
      if (entry.type === 'custom' && entry.data.fact !== undefined) throw new Error('disk full');
      return append(entry);
    };
    const agent = new PiProcess(pi);
    const sent = (await runSession(() => agent)).at(-1) ?? [];
    assert.ok(placeholderCount(sent) > 10);
  });

  test("pi's own summary is sent unchanged, and results that become outdated after it are pending while the prompt is cached", async () => {
    const pi = new PiSession();
    const agent = new PiProcess(pi);
    await runSession(() => agent);
    const keptMessages = pi.messages.slice(-5);
    pi.leaf = null;
    const summary = {
      role: 'compactionSummary',
      summary: '## Goal\nComments.',
      tokensBefore: 90_000,
      timestamp: START,
    };
    for (const message of [summary, ...keptMessages]) pi.append({ type: 'message', message });
    const sent = await agent.request();
    assert.deepEqual(sent[0], summary);
    assert.equal(sent.length, 6);
    // Results that the next ones make outdated are pending: the prompt is cached again.
    mock.timers.tick(20_000);
    const repeated = keptMessages.filter(({ content }) => JSON.stringify(content).includes('part-2'));
    for (const message of structuredClone(repeated)) pi.append({ type: 'message', message: withNewCallId(message) });
    assert.ok(startsWith(sent, await agent.request()));
  });

  test("totalTokens of an assistant message includes the removed results, so that pi summarises as early; with compactLater it doesn't", async () => {
    const additionalTokens = [];
    for (const compactLater of [false, true]) {
      const folder = mkdtempSync(join(tmpdir(), 'palimpsest-pi-'));
      writeFileSync(join(folder, 'palimpsest.json'), JSON.stringify({ compactLater }));
      const pi = new PiSession();
      const agent = new PiProcess(pi, { PI_CODING_AGENT_DIR: folder });
      const sent = (await runSession(() => agent)).at(-1) ?? [];
      const { usage } = pi.messages.at(-1);
      additionalTokens.push(usage.totalTokens - (usage.input + usage.output + usage.cacheRead + usage.cacheWrite));
      const removedTokens = (JSON.stringify(pi.messages.slice(0, -1)).length - JSON.stringify(sent).length) / 4;
      if (!compactLater)
        assert.ok(
          Math.abs((additionalTokens[0] ?? 0) / removedTokens - 1) < 0.1,
          `${additionalTokens[0]} of ${removedTokens}`,
        );
      rmSync(folder, { recursive: true });
    }
    assert.ok((additionalTokens[0] ?? 0) > 1_000);
    assert.equal(Math.round(additionalTokens[1] ?? -1), 0);
  });

  test('the status line and the command show what is sent, saved and removed', async () => {
    const agent = new PiProcess(new PiSession());
    await agent.commands.get('palimpsest').handler('', agent.context);
    assert.match(agent.notes[0] ?? '', /no request/);
    await runSession(() => agent);
    assert.match(agent.status, /^palimpsest: \d+ % of window · saved \d+ % \(\$\d+\.\d\d\) · cached until \d\d:\d\d$/);
    await agent.commands.get('palimpsest').handler('', agent.context);
    assert.match(agent.notes[1] ?? '', /removed: \d+ results, \d+ tokens, in \d+ changes/);
    assert.match(agent.notes[1] ?? '', /pending: /);
    assert.match(agent.notes[1] ?? '', /cost: \d+ tokens at the price of input; unmodified history: \d+/);
  });

  test('PALIMPSEST=off disables the extension, and a misspelt setting disables it with a message', async () => {
    const off = new PiProcess(new PiSession(), { PI_CODING_AGENT_DIR: '/nowhere', PALIMPSEST: 'off' });
    assert.equal(off.commands.size, 0);
    const invalid = new PiProcess(new PiSession(), { PI_CODING_AGENT_DIR: '/nowhere', PALIMPSEST: 'offf' });
    assert.equal(invalid.commands.size, 0);
    await invalid.start();
    assert.match(invalid.notes[0] ?? '', /off, since its settings can't be read: .*offf/);
    const folder = mkdtempSync(join(tmpdir(), 'palimpsest-pi-'));
    writeFileSync(join(folder, 'palimpsest.json'), '{"prize": "openai"}');
    const misspelt = new PiProcess(new PiSession(), { PI_CODING_AGENT_DIR: folder });
    await misspelt.start();
    assert.match(misspelt.notes[0] ?? '', /`prize`; did you mean `price`/);
    rmSync(folder, { recursive: true });
  });

  test("priceOf takes the preset from the model's names, and the rates from pi's catalog if it has any", () => {
    /** @type {[object | undefined, boolean, object][]} */
    const cases = [
      [undefined, false, { preset: 'anthropic' }],
      [{ id: 'claude-x', provider: 'anthropic' }, true, { preset: 'anthropic-1h' }],
      [{ id: 'deepseek-chat', provider: 'openrouter', api: 'openai-completions' }, false, { preset: 'deepseek' }],
      [{ id: 'x', provider: 'google-vertex', cost: { input: 0, cacheRead: 0 } }, false, { preset: 'gemini' }],
      [
        { id: 'gpt-x', provider: 'openai', cost: { input: 2, cacheRead: 0.5, cacheWrite: 0 } },
        false,
        { preset: 'openai', read: 0.25, write: 1 },
      ],
      [{ id: 'gpt-x', provider: 'openai', promptCache: { short: 600 } }, false, { preset: 'openai', ttlMs: 600_000 }],
    ];
    for (const [model, isKeptLong, price] of cases) assert.deepEqual(priceOf(model, isKeptLong), price);
  });

  test('results stay removed when the user switches to another model', async () => {
    const pi = new PiSession();
    const agent = new PiProcess(pi);
    const last = (await runSession(() => agent)).at(-1) ?? [];
    agent.context.model = { ...MODEL, id: 'gpt-mock', api: 'openai-responses', cost: { ...MODEL.cost, cacheWrite: 0 } };
    assert.ok(startsWith(last, await agent.request()));
  });
});
