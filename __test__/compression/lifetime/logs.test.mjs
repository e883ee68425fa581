// @ts-check
/** Events and log entries of a compression: their fields and order, and that they never have message content or keys. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { setLogger } from 'palimpsest';
import {
  AutoCompressionManager,
  configuration,
  exchange,
  managerWith,
  NOW,
  OVER,
  processed,
  recordingLogger,
  scripted,
  session,
  summary,
} from '../../support/compression.mjs';
import { status } from '../../support/fault-server.mjs';
import { clientOf, KEY, withServer } from '../../support/http-llm.mjs';

describe('R9 events and logs', () => {
  afterEach(() => setLogger(null));

  it('R9.1 onEvent gets the same fields as the logger', async () => {
    for (const model of [scripted(summary()), scripted(new Error('away')), scripted('')]) {
      const { log, events } = await processed(session(OVER), { model, options: { logFields: { agentId: 'a' } } });
      const entries = log.entries.map((/** @type {any} */ { level, message, fields: { event, ...fields } }) => ({
        type: event,
        level,
        message,
        ...fields,
      }));
      assert.ok(entries.length >= 3);
      assert.deepEqual(events, entries);
    }
  });

  it('R9.1 the events of a compression are triggered, summary_requested, summary_answered and compressed', async () => {
    assert.deepEqual((await processed(session())).types(), [
      'triggered',
      'summary_requested',
      'summary_answered',
      'compressed',
    ]);
  });

  it("R9.1 an event's level is the called method of the logger, and no other field is named level", async () => {
    for (const model of [scripted(summary()), scripted(new Error('away'))]) {
      const { log, events } = await processed(session(OVER), { model });
      const levels = log.entries.map((/** @type {any} */ { level }) => level);
      assert.deepEqual(
        events.map(({ level }) => level),
        levels,
      );
      // A logger such as pino writes the fields next to its own `level`.
      for (const { fields } of log.entries) assert.ok(!('level' in fields), `${fields.event} has a field 'level'`);
    }
  });

  it('R9.1 below the threshold there are no events', async () => {
    assert.deepEqual((await processed(session(1_000))).events, []);
  });

  it('R9.1 without a logger of its own a manager logs to the one of setLogger, with its logFields', async () => {
    const log = recordingLogger();
    setLogger(log);
    const options = { logFields: { agentId: 'agent-7', turn: 3 } };
    const manager = new AutoCompressionManager(configuration(), scripted(summary()), null, options);
    await manager.process(session(), { now: NOW });
    const entry = log.entries.find(({ fields }) => fields.event === 'compressed');
    assert.deepEqual([entry?.fields.agentId, entry?.fields.turn], ['agent-7', 3]);
  });

  it('R9.1 without any logger nothing is printed', () => {
    const { stdout, stderr, status: code } = inProcess('await manager.process(full);');
    assert.deepEqual([stdout, stderr, code], ['', '', 0]);
  });

  it('R9.1 the file of PALIMPSEST_LOG gets the events as JSON lines', () => {
    const folder = mkdtempSync(join(tmpdir(), 'palimpsest-'));
    try {
      const file = join(folder, 'log.jsonl');
      inProcess('await manager.process(full);', { PALIMPSEST_LOG: file });
      const entries = readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      assert.ok(entries.some(({ event, level }) => event === 'compressed' && level === 'info'));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('R7.12 a listener can call stats', async () => {
    const { manager } = managerWith();
    let statsRead = 0;
    manager.onEvent(() => {
      statsRead += Number(Object.keys(manager.stats()).length > 0);
    });
    await manager.process(session(), { now: NOW });
    assert.ok(statsRead >= 4);
  });
});

describe('R9.2 logs without content and keys', () => {
  const MARK = 'MARK7f3a';

  /** A session with the mark in every text of the application. @param {number} tokens @returns {any[]} */
  function markedSession(tokens) {
    const messages = session(tokens, { task: `task ${MARK}`, system: `system ${MARK}` });
    messages.forEach((message, at) => {
      if (message.role === 'tool') message.content = `${MARK} ${message.content}`;
      if (message.role === 'assistant') message.tool_calls[0].function.arguments = `{"path":"/${MARK}/${at}"}`;
    });
    const [call, result] = exchange(900);
    call.tool_calls[0].function.name = MARK;
    messages.push(call, { ...result, content: MARK, editorContext: MARK });
    return messages;
  }

  /** @type {[string, () => any][]} */
  const models = [
    ['a summary', () => scripted(summary(MARK))],
    ['an error', () => scripted(Object.assign(new Error(MARK), { cause: MARK, body: MARK }))],
    [
      'an error with a sentence for its code',
      () => scripted(Object.assign(new Error('x'), { code: `key ${MARK} is bad` })),
    ],
    [
      'an error with a sentence for its name',
      () => scripted(Object.assign(new Error('x'), { name: `${MARK}: is bad` })),
    ],
    ['an overflow', () => scripted(new Error(`maximum context length is 3000 tokens, ${MARK}`))],
    ['a refusal', () => scripted(`I'm sorry, but I can't help with ${MARK}.`)],
    ['an error text', () => scripted(`Error: ${MARK}`)],
    ['a tool call', () => scripted({ content: MARK, tool_calls: [{ id: MARK, function: { name: MARK } }] })],
    ['a finish reason', () => scripted({ choices: [{ message: { content: MARK }, finish_reason: MARK }] })],
    ['a repair', () => scripted(`## Goal\n${MARK}`)],
  ];
  for (const [name, model] of models) {
    it(`R9.2 with ${name} from the model, neither log, events nor stats contain message content`, async () => {
      const promptOptions = { prompt: { system: `sum up ${MARK}`, user: `{history} ${MARK}` }, pin: () => false };
      for (const options of [{}, promptOptions]) {
        const { log, events, manager } = await processed(markedSession(OVER), { model: model(), options });
        await manager.compress(markedSession(1_000), { instructions: MARK });
        await manager.compress(markedSession(1_000), { summary: MARK });
        assert.ok(events.length > 4);
        assert.ok(!JSON.stringify([log.entries, events, manager.stats()]).includes(MARK));
      }
    });
  }

  it('R9.2 with messages and arguments that throw or are invalid, neither log nor events contain content', async () => {
    const { manager, log, events } = managerWith();
    const failing = Object.defineProperty({ role: 'user' }, 'content', {
      get() {
        throw new Error(MARK);
      },
    });
    await manager.process([...session(), failing], { now: NOW });
    await manager.process(/** @type {any} */ (MARK));
    await manager.process([], /** @type {any} */ ({ now: MARK }));
    assert.ok(!JSON.stringify([log.entries, events]).includes(MARK));
  });

  it('R9.2 with an archive that fails, neither log nor events contain its error message', async () => {
    const archive = { append: () => Promise.reject(new Error(MARK)) };
    const { log, events, types } = await processed(markedSession(3_400), { options: { archive, sessionId: 's' } });
    assert.ok(types().includes('archive_failed'));
    assert.ok(!JSON.stringify([log.entries, events]).includes(MARK));
  });

  it('R9.2 with a provider that repeats the API key in its error, log, events and stats omit it', () =>
    withServer([status(401, {}, { error: { message: `bad key ${KEY}`, type: KEY } })], async (server) => {
      const { log, events, manager } = await processed(session(), { model: /** @type {any} */ (clientOf(server)) });
      assert.equal(manager.stats().failed, 1);
      assert.ok(!JSON.stringify([log.entries, events, manager.stats()]).includes(KEY));
    }));
});

/** Runs `code` with a `manager` and a `full` session in a process of its own. @param {string} code @param {Record<string, string>} [env] */
function inProcess(code, env = {}) {
  const support = new URL('../../support/compression.mjs', import.meta.url).href;
  const script = `
    const { AutoCompressionManager, configuration, scripted, session, summary } = await import(${JSON.stringify(support)});
    const manager = new AutoCompressionManager(configuration(), scripted(summary()));
    const full = session();
    ${code}`;
  const { PALIMPSEST_LOG: _, ...inherited } = process.env;
  return spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
    env: { ...inherited, ...env },
    encoding: 'utf8',
  });
}
