// @ts-check
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import { OpencodeHost, OpencodeSession, StateFolder } from '../support/adapters/opencode-host.mjs';

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

/** @param {number} ms */
const pass = (ms) => mock.timers.tick(ms);

/** @param {readonly any[]} messages */
const lengthOf = (messages) => JSON.stringify(messages.map(({ parts }) => parts)).length;

/**
 * One prompt, which the model works on in some steps.
 * @param {OpencodeHost} host
 * @param {number} prompt
 * @param {(request: number) => void} [before] each request
 * @param {number} [factor] tokens for each that there is
 * @returns {Promise<any[][]>} what was sent
 */
async function worked(host, prompt, before, factor = 1) {
  const requests = [];
  host.session.ask(`Prompt ${prompt}`);
  for (let step = 0; step <= STEPS; step++) {
    before?.(prompt * (STEPS + 1) + step);
    const sent = await host.request();
    requests.push(sent);
    pass(20_000);
    const read = Math.round((factor * lengthOf(sent)) / 4);
    const tokens = { input: 3, output: 20, reasoning: 0, cache: { read, write: 500 }, total: read + 523 };
    if (step === STEPS) {
      await host.answered(tokens, [{ type: 'text', text: 'Done.' }]);
      break;
    }
    const path = `src/part-${step % 3}.js`;
    const output = Array.from({ length: 200 }, (_, line) => `line ${line} of ${path} at ${prompt}`).join('\n');
    const time = { start: Date.now(), end: Date.now() };
    const state = { status: 'completed', input: { command: `cat ${path}` }, output, title: path, metadata: {}, time };
    await host.answered(tokens, [{ type: 'tool', tool: 'bash', callID: `call_${prompt}_${step}`, state }]);
  }
  return requests;
}

/** As it is sent. @param {readonly any[]} messages */
const bytes = (messages) =>
  messages.map(({ info, parts }) =>
    JSON.stringify([info.role, parts.map(({ type, text, callID, state }) => [type, text, callID, state?.output])]),
  );

/** @param {readonly any[]} messages */
const replacedIn = (messages) =>
  bytes(messages).filter((text) => text.includes('[Removed: ') || text.includes('[Outdated ')).length;

/** Whether a request begins with all of the one before. @param {readonly any[]} before @param {readonly any[]} sent */
function goesOn(before, sent) {
  const [one, other] = [bytes(before), bytes(sent)];
  return one.every((text, at) => text === other[at]);
}

/** Some prompts with a long pause ahead of every second one. @param {(prompt: number) => Promise<OpencodeHost>} hostFor @param {(request: number, host: OpencodeHost) => void} [before] */
async function session(hostFor, before) {
  const requests = [];
  for (let prompt = 0; prompt < 6; prompt++) {
    if (prompt % 2 === 1) pass(30 * MINUTE);
    const host = await hostFor(prompt);
    requests.push(...(await worked(host, prompt, (request) => before?.(request, host))));
  }
  return requests;
}

/** @param {OpencodeSession} stored @param {Record<string, unknown>} [options] */
const started = (stored, options) => OpencodeHost.started(stored, folder.environment, options);

describe('palimpsest/opencode', () => {
  test('R13.2 outdated results are replaced in the request, and the messages that opencode stores are unchanged', async () => {
    const stored = new OpencodeSession();
    const host = await started(stored, { showStatus: false });
    const sent = (await session(async () => host)).at(-1) ?? [];
    assert.ok(replacedIn(sent) > 10, `${replacedIn(sent)} replaced`);
    assert.equal(replacedIn(stored.messages), 0);
    assert.deepEqual(host.said, []);
  });

  test('R15.2 a session continued in a new process sends the same bytes', async () => {
    const one = await started(new OpencodeSession());
    const long = await session(async () => one);
    mock.timers.reset();
    mock.timers.enable({ apis: ['Date'], now: START });
    folder.remove();
    const stored = new OpencodeSession();
    const short = await session(() => started(stored));
    assert.deepEqual(short.map(bytes), long.map(bytes));
  });

  test('R13.2 if every third call of the plug-in fails, removed results stay removed, also in a new process', async () => {
    /** @type {any[]} */
    let before = [];
    let failed = 0;
    const stored = new OpencodeSession();
    /** @type {Set<OpencodeHost>} */
    const hosts = new Set();
    const fault = new Error('every third');
    const requests = await session(
      async () => {
        const host = await started(stored, { showStatus: false });
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
    assert.match([...hosts][0]?.said[0] ?? '', /goes on without it: every third/);
  });

  test("R15.3 a state folder that can't be written stops no request", async () => {
    const host = await OpencodeHost.started(new OpencodeSession(), { XDG_STATE_HOME: '/dev/null/nowhere' });
    const sent = (await session(async () => host)).at(-1) ?? [];
    assert.ok(sent.length > 70);
  });

  test("the request for opencode's own summary is sent unchanged, and does not change the session's next request", async () => {
    const host = await started(new OpencodeSession());
    const before = (await session(async () => host)).at(-1) ?? [];
    await host.hooks['experimental.session.compacting']?.({ sessionID: 'ses_1' }, { context: [] });
    const head = structuredClone(host.session.messages.slice(0, 40));
    const given = [...head];
    await host.hooks['experimental.chat.messages.transform']?.({}, { messages: given });
    assert.deepEqual(given, head);
    assert.ok(goesOn(before, await host.request()));
  });

  test('a result that opencode itself has cleared is sent unchanged', async () => {
    const stored = new OpencodeSession();
    const host = await started(stored);
    await session(async () => host);
    const cleared = stored.messages.filter(({ parts }) => parts[0].type === 'tool').slice(0, 8);
    for (const { parts } of cleared) parts[0].state.time.compacted = Date.now();
    pass(30 * MINUTE);
    const sent = await host.request();
    for (const { info } of cleared) {
      const [was, is] = [stored.messages, sent].map((all) =>
        all.find((/** @type {any} */ each) => each.info.id === info.id),
      );
      assert.deepEqual(is, was);
    }
  });

  test("opencode summarises once the unmodified history would have filled the window, and with compactLater it doesn't", async () => {
    for (const compactLater of [false, true]) {
      const host = await started(new OpencodeSession(), { compactLater });
      let asked = -1;
      for (let prompt = 0; prompt < 8 && asked < 0; prompt++) {
        pass(30 * MINUTE);
        const sent = await worked(host, prompt, undefined, 3);
        if (host.summaries.length === 0) continue;
        asked = prompt;
        const whole = (3 * lengthOf(host.session.messages)) / 4;
        assert.ok(whole > 150_000 && (3 * lengthOf(sent.at(-1) ?? [])) / 4 < whole, `${whole}`);
      }
      assert.equal(asked > 0, !compactLater);
      if (compactLater) continue;
      assert.deepEqual(host.summaries[0], {
        path: { id: 'ses_1' },
        body: { providerID: 'mock', modelID: 'claude-mock', auto: true },
      });
      assert.equal(host.summaries.length, 1, 'once');
    }
  });

  test('the note and the command show what is sent, saved and removed, and the command sends no request', async () => {
    const host = await started(new OpencodeSession());
    assert.match(host.config.command.palimpsest.description, /leaves out/);
    const asked = () =>
      host.hooks['command.execute.before']?.({ command: 'palimpsest', sessionID: 'ses_1', arguments: '' }, {}) ??
      Promise.resolve();
    await assert.rejects(asked(), /nothing is sent/);
    assert.match(host.said.at(-1) ?? '', /no request/);
    await session(async () => host);
    assert.match(
      host.said.at(-1) ?? '',
      /^palimpsest: \d+ % of window · saved \d+ % \(\$\d+\.\d\d\) · cached until \d\d:\d\d$/,
    );
    await assert.rejects(asked(), /nothing is sent/);
    assert.match(
      host.said.at(-1) ?? '',
      /left out: \d+ results, \d+ tokens, in \d+ changes.*waiting: .*cost: \d+ tokens/s,
    );
  });

  test('deleting a session deletes its state file', async () => {
    const host = await started(new OpencodeSession());
    await session(async () => host);
    const files = join(folder.path, 'opencode/palimpsest');
    assert.deepEqual(readdirSync(files), ['ses_1.jsonl']);
    await host.tell('session.deleted', { info: { id: 'ses_1' } });
    assert.ok(!existsSync(join(files, 'ses_1.jsonl')));
  });

  test('PALIMPSEST=off disables the plug-in, and a misspelt setting disables it with one message', async () => {
    const off = await OpencodeHost.started(new OpencodeSession(), { ...folder.environment, PALIMPSEST: 'off' });
    assert.deepEqual(off.hooks, {});
    const misspelt = await started(new OpencodeSession(), { prize: 'openai' });
    assert.deepEqual(Object.keys(misspelt.hooks), ['event']);
    for (let times = 0; times < 2; times++) await misspelt.tell('session.status', {});
    assert.equal(misspelt.said.length, 1);
    assert.match(misspelt.said[0] ?? '', /off, since its settings can't be read: .*`prize`; did you mean `price`/);
  });
});
