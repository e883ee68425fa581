// @ts-check
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import { priceOf } from '../../lib/adapters/coding-agents/price.js';
import { MODEL, PiHost, PiSession } from '../support/adapters/pi-host.mjs';

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 5, 9);
const STEPS = 12;

beforeEach(() => mock.timers.enable({ apis: ['Date'], now: START }));
afterEach(() => mock.timers.reset());

/** @param {number} ms */
const pass = (ms) => mock.timers.tick(ms);

/**
 * One prompt, which the model works on in some steps.
 * @param {PiHost} host
 * @param {number} prompt
 * @param {(request: number) => void} [before] each request
 * @returns {Promise<any[][]>} what was sent
 */
async function worked(host, prompt, before) {
  const requests = [];
  await host.ended({ role: 'user', content: [{ type: 'text', text: `Prompt ${prompt}` }], timestamp: Date.now() });
  for (let step = 0; step <= STEPS; step++) {
    before?.(prompt * (STEPS + 1) + step);
    const sent = await host.request();
    requests.push(sent);
    pass(20_000);
    const prompted = JSON.stringify(sent).length / 4;
    const usage = { input: 3, output: 20, cacheRead: prompted, cacheWrite: 500, totalTokens: prompted + 523 };
    const timestamp = Date.now();
    const answer = { role: 'assistant', usage, timestamp, stopReason: step < STEPS ? 'toolUse' : 'stop' };
    if (step === STEPS) {
      await host.ended({ ...answer, content: [{ type: 'text', text: 'Done.' }] });
      break;
    }
    const [id, path] = [`call_${prompt}_${step}`, `src/part-${step % 3}.js`];
    const call = { type: 'toolCall', id, name: 'bash', arguments: { command: `cat ${path}` } };
    const text = Array.from({ length: 200 }, (_, line) => `line ${line} of ${path} at ${prompt}`).join('\n');
    await host.ended({ ...answer, content: [call] });
    const content = [{ type: 'text', text }];
    await host.ended({ role: 'toolResult', toolCallId: id, toolName: 'bash', content, isError: false, timestamp });
  }
  return requests;
}

/** As it is sent. @param {readonly any[]} messages */
const bytes = (messages) => messages.map(({ role, content, summary }) => JSON.stringify([role, content, summary]));

/** @param {readonly any[]} messages */
const replacedIn = (messages) =>
  bytes(messages).filter((text) => text.includes('[Removed: ') || text.includes('[Outdated ')).length;

/** The same call again. @param {any} message */
const renamed = (message) => JSON.parse(JSON.stringify(message).replaceAll('"call_', '"again_'));

/** Whether a request begins with all of the one before. @param {readonly any[]} before @param {readonly any[]} sent */
function goesOn(before, sent) {
  const [one, other] = [bytes(before), bytes(sent)];
  return one.every((text, at) => text === other[at]);
}

/** Some prompts with a long pause ahead of every second one. @param {(prompt: number) => PiHost} hostFor @param {(request: number, host: PiHost) => void} [before] */
async function session(hostFor, before) {
  const requests = [];
  for (let prompt = 0; prompt < 6; prompt++) {
    if (prompt % 2 === 1) pass(30 * MINUTE);
    const host = hostFor(prompt);
    requests.push(...(await worked(host, prompt, (request) => before?.(request, host))));
  }
  return requests;
}

describe('palimpsest/pi', () => {
  test("R13.2 outdated results are replaced in the request, and the session gets only entries of the extension's own type", async () => {
    const pi = new PiSession();
    const host = new PiHost(pi);
    const sent = (await session(() => host)).at(-1) ?? [];
    assert.ok(replacedIn(sent) > 10, `${replacedIn(sent)} replaced`);
    assert.equal(replacedIn(pi.messages), 0);
    const types = new Set([...pi.entries.values()].map(({ type, customType }) => customType ?? type));
    assert.deepEqual(types, new Set(['message', 'palimpsest']));
    assert.deepEqual(host.said, []);
  });

  test('R15.2 a session continued in a new process sends the same bytes', async () => {
    const one = new PiHost(new PiSession());
    const long = await session(() => one);
    mock.timers.reset();
    mock.timers.enable({ apis: ['Date'], now: START });
    const pi = new PiSession();
    const short = await session(() => new PiHost(pi));
    assert.deepEqual(short.map(bytes), long.map(bytes));
  });

  test('R10.12 after the user returns to an earlier entry, the results that were removed there stay removed', async () => {
    const pi = new PiSession();
    const host = new PiHost(pi);
    await session(() => host);
    const there = await host.request();
    const place = pi.leaf;
    const [further] = await worked(host, 6);
    pass(30 * MINUTE);
    await worked(host, 7);
    pi.leaf = place;
    const [back] = await worked(host, 8);
    assert.ok(goesOn(there, further ?? []));
    const now = bytes(back ?? []);
    const kept = bytes(there).filter((text, at) => text !== bytes([pi.messages[at]])[0] && text === now[at]);
    assert.equal(kept.length, replacedIn(there));
  });

  test('R13.2 if every third call of the extension fails, removed results stay removed, also in a new process', async () => {
    /** @type {any[]} */
    let before = [];
    let failed = 0;
    const pi = new PiSession();
    const hosts = new Set();
    const fault = new Error('every third');
    const requests = await session(
      () => {
        const host = new PiHost(pi);
        hosts.add(host);
        return host;
      },
      (request, host) => {
        host.fault = request % 3 === 0 && request > 0 ? fault : null;
      },
    );
    for (const [request, sent] of requests.entries()) {
      if (request % 3 === 0) {
        failed++;
        assert.ok(goesOn(before, sent), `request ${request}`);
      }
      before = sent;
    }
    assert.ok(failed > 20 && replacedIn(before) > 10);
    for (const { said } of hosts) assert.equal(said.length, 1, 'said once');
    assert.match([...hosts][0].said[0], /goes on without it: every third/);
  });

  test('R15.3 outdated results are removed even if storing facts fails', async () => {
    const pi = new PiSession();
    const append = pi.append.bind(pi);
    pi.append = (/** @type {any} */ entry) => {
      if (entry.type === 'custom' && entry.data.fact !== undefined) throw new Error('disk full');
      return append(entry);
    };
    const host = new PiHost(pi);
    const sent = (await session(() => host)).at(-1) ?? [];
    assert.ok(replacedIn(sent) > 10);
  });

  test("pi's own summary is sent unchanged, and results that become outdated after it are pending while the prompt is cached", async () => {
    const pi = new PiSession();
    const host = new PiHost(pi);
    await session(() => host);
    const kept = pi.messages.slice(-5);
    pi.leaf = null;
    const summary = {
      role: 'compactionSummary',
      summary: '## Goal\nComments.',
      tokensBefore: 90_000,
      timestamp: START,
    };
    for (const message of [summary, ...kept]) pi.append({ type: 'message', message });
    const sent = await host.request();
    assert.deepEqual(sent[0], summary);
    assert.equal(sent.length, 6);
    // What is outdated by the next result waits: the prompt is in the cache again.
    pass(20_000);
    const again = kept.filter(({ content }) => JSON.stringify(content).includes('part-2'));
    for (const message of structuredClone(again)) pi.append({ type: 'message', message: renamed(message) });
    assert.ok(goesOn(sent, await host.request()));
  });

  test("totalTokens of an assistant message includes the removed results, so that pi summarises as early; with compactLater it doesn't", async () => {
    const totals = [];
    for (const compactLater of [false, true]) {
      const folder = mkdtempSync(join(tmpdir(), 'palimpsest-pi-'));
      writeFileSync(join(folder, 'palimpsest.json'), JSON.stringify({ compactLater }));
      const pi = new PiSession();
      const host = new PiHost(pi, { PI_CODING_AGENT_DIR: folder });
      const sent = (await session(() => host)).at(-1) ?? [];
      const { usage } = pi.messages.at(-1);
      totals.push(usage.totalTokens - (usage.input + usage.output + usage.cacheRead + usage.cacheWrite));
      const shorter = (JSON.stringify(pi.messages.slice(0, -1)).length - JSON.stringify(sent).length) / 4;
      if (!compactLater) assert.ok(Math.abs((totals[0] ?? 0) / shorter - 1) < 0.1, `${totals[0]} of ${shorter}`);
      rmSync(folder, { recursive: true });
    }
    assert.ok((totals[0] ?? 0) > 1_000);
    assert.equal(Math.round(totals[1] ?? -1), 0);
  });

  test('the status line and the command show what is sent, saved and removed', async () => {
    const host = new PiHost(new PiSession());
    await host.commands.get('palimpsest').handler('', host.context);
    assert.match(host.said[0] ?? '', /no request/);
    await session(() => host);
    assert.match(host.status, /^palimpsest: \d+ % of window · saved \d+ % \(\$\d+\.\d\d\) · cached until \d\d:\d\d$/);
    await host.commands.get('palimpsest').handler('', host.context);
    assert.match(host.said[1] ?? '', /left out: \d+ results, \d+ tokens, in \d+ changes/);
    assert.match(host.said[1] ?? '', /waiting: /);
    assert.match(host.said[1] ?? '', /cost: \d+ tokens at the price of input; all history sent: \d+/);
  });

  test('PALIMPSEST=off disables the extension, and a misspelt setting disables it with a message', async () => {
    const off = new PiHost(new PiSession(), { PI_CODING_AGENT_DIR: '/nowhere', PALIMPSEST: 'off' });
    assert.equal(off.commands.size, 0);
    const wrong = new PiHost(new PiSession(), { PI_CODING_AGENT_DIR: '/nowhere', PALIMPSEST: 'offf' });
    assert.equal(wrong.commands.size, 0);
    await wrong.begun();
    assert.match(wrong.said[0] ?? '', /off, since its settings can't be read: .*offf/);
    const folder = mkdtempSync(join(tmpdir(), 'palimpsest-pi-'));
    writeFileSync(join(folder, 'palimpsest.json'), '{"prize": "openai"}');
    const misspelt = new PiHost(new PiSession(), { PI_CODING_AGENT_DIR: folder });
    await misspelt.begun();
    assert.match(misspelt.said[0] ?? '', /`prize`; did you mean `price`/);
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
    const host = new PiHost(pi);
    const before = (await session(() => host)).at(-1) ?? [];
    host.context.model = { ...MODEL, id: 'gpt-mock', api: 'openai-responses', cost: { ...MODEL.cost, cacheWrite: 0 } };
    assert.ok(goesOn(before, await host.request()));
  });
});
