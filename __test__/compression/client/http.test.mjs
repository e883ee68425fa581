// @ts-check
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as face from 'palimpsest';
import { assertFits, Host, weigh } from '../../support/compressed-host.mjs';
import * as faults from '../../support/fault-server.mjs';
import { clientOf, KEY, withServer } from '../../support/http-llm.mjs';
import { Scribe } from '../../support/random-sessions.mjs';
import { SUMMARY } from '../../support/scripted-llm.mjs';

const { AutoCompressionManager } = /** @type {any} */ (face);
const WINDOW = 4_000;

/** Turns until the history has more than `share` of the window. @param {number} share */
function hostWith(share) {
  const host = new Host({ isFrozen: true });
  const scribe = new Scribe('openai', weigh);
  host.append({ role: 'system', content: 'You fix builds.' });
  const plan = { ask: 5, say: 20, calls: [{ words: 40, fails: false, file: 1 }], usage: 'none' };
  while (weigh(host.messages) <= share * WINDOW) host.append(...scribe.write(plan, host.messages));
  return host;
}

/** Above the threshold, below the hard limit. */
const full = () => hostWith(0.8);
/** Above the hard limit. */
const overfull = () => hostWith(1);

/**
 * One `process` call whose summary comes, or doesn't, from a server.
 * @param {faults.Fault[] | ((request: faults.Received, index: number) => faults.Fault)} script
 * @param {{ host?: Host, client?: object, settings?: object, whileAsked?: () => void, signal?: AbortSignal }} [how]
 */
async function processed(script, { host = full(), client, settings, whileAsked, signal } = {}) {
  return withServer(script, async (server) => {
    /** @type {any[]} */
    const events = [];
    const configuration = {
      maxContextTokens: WINDOW,
      autoCompressionSummaryModel: 'fast',
      autoCompressionKeepRecentCount: 4,
      autoCompressionSummaryContextTokens: 128_000,
      ...settings,
    };
    const logged = (/** @type {any} */ fields, /** @type {string} */ text) => log.push(JSON.stringify(fields), text);
    /** @type {string[]} */
    const log = [];
    const logger = { debug: logged, info: logged, warn: logged, error: logged };
    const manager = new AutoCompressionManager(configuration, clientOf(server, client), logger, {
      onEvent: (/** @type {any} */ event) => events.push(event),
    });
    const before = [...host.messages];
    const done = manager.process(host.messages, { signal });
    if (whileAsked !== undefined) {
      await server.received(1);
      whileAsked();
    }
    await done;
    host.assertUntouched();
    host.assertWhole();
    assert.ok(!log.join('\n').includes(KEY), 'R9.2 the key reached the log');
    assert.ok(!log.join('\n').includes('request 1:'), 'R9.2 what was said reached the log');
    const isUnchanged = before.length === host.messages.length && before.every((m, i) => m === host.messages[i]);
    return { host, events, isUnchanged, requests: server.requests, stats: manager.stats() };
  });
}

/** @param {readonly any[]} events @param {string} type */
const ofType = (events, type) => events.filter((event) => event.type === type);

describe('compression through HttpLlmClient', () => {
  it('REQ-3.2 a summary over HTTP takes the place of what it is of', async () => {
    const { host, events, requests, stats } = await processed([faults.completion(SUMMARY)]);
    assert.equal(ofType(events, 'compressed').length, 1);
    assert.equal(requests.length, 1);
    assert.deepEqual([requests[0].json.model, requests[0].json.max_tokens], ['fast', 1_000]);
    assert.ok(host.messages[1].content.includes('Bring the build back to green.'));
    assert.deepEqual([stats.llmPromptTokens, stats.llmCompletionTokens], [11, 3]);
  });

  it("REQ-3.2 a summary in Anthropic's style does the same", async () => {
    const { host, events, requests } = await processed([faults.anthropicMessage(SUMMARY)], {
      client: { style: 'anthropic' },
    });
    assert.equal(ofType(events, 'compressed').length, 1);
    assert.equal(requests[0].path, '/v1/messages');
    assert.equal(host.messages[1].isCompressed, true);
  });

  /** @type {[string, Record<string, string>][]} */
  const limits = [
    ['without', {}],
    ['with', { 'retry-after': '0' }],
  ];
  for (const [said, headers] of limits) {
    it(`R7.2 a 429 ${said} Retry-After is waited out, and the summary then taken`, async () => {
      const { events, requests } = await processed([faults.status(429, headers), faults.completion(SUMMARY)]);
      assert.equal(requests.length, 2);
      assert.equal(ofType(events, 'compressed').length, 1);
    });
  }

  /** @type {[string, faults.Fault, object?][]} */
  const failures = [
    ['500s', faults.status(500)],
    ['a 401', faults.status(401)],
    ['malformed JSON', faults.raw('{"choices":[{"message":', { headers: { 'content-type': 'application/json' } })],
    ['a page instead of JSON', faults.raw('<html>busy</html>', { headers: { 'content-type': 'text/html' } })],
    ['a cut connection', faults.cut()],
    ['a connection cut in the body', faults.cutInBody()],
    ['an answer without end', faults.flood(4_000_000), { maxResponseBytes: 100_000 }],
    ['no answer', faults.hang(), { readTimeoutMs: 100, maxRetries: 0 }],
    ['an empty answer', faults.completion('')],
    ['an answer that was cut off', faults.completion('## Goal\nBring the', { finishReason: 'length' })],
    ['an answer that was filtered', faults.completion('', { finishReason: 'content_filter' })],
  ];
  for (const [name, fault, client] of failures) {
    it(`REQ-3.2 ${name}: the history below the hard limit is left as it was, and a warning says so`, async () => {
      const { isUnchanged, events } = await processed([fault], { client });
      assert.ok(isUnchanged);
      const warnings = events.filter(({ level }) => level === 'warn');
      assert.deepEqual(warnings.length, 1, JSON.stringify(events));
      assert.ok(['summary_failed', 'summary_refused'].includes(warnings[0].type));
    });

    it(`REQ-3.4 ${name}: the history above the hard limit is cut to fit`, async () => {
      const { host, events } = await processed([fault], { client, host: overfull() });
      assert.equal(ofType(events, 'truncated').length, 1);
      assertFits(host.messages, { window: WINDOW }, []);
    });
  }

  it('R7.1 a server that hangs is given up after the configured time, and its connection closed', async () => {
    // Long enough for the request to arrive, also on a machine with much other work.
    const settings = { autoCompressionSummaryTimeoutMs: 1_500 };
    const { isUnchanged, events, requests } = await processed([faults.hang()], { settings });
    assert.ok(isUnchanged);
    assert.deepEqual(
      ofType(events, 'summary_failed').map(({ code }) => code),
      ['timeout'],
    );
    await requests[0].closed;
  });

  it('R7.1 a server that drips is given up after the configured time', async () => {
    const { isUnchanged, events } = await processed([faults.drip(5)], {
      settings: { autoCompressionSummaryTimeoutMs: 100 },
    });
    assert.ok(isUnchanged);
    assert.equal(ofType(events, 'summary_failed').length, 1);
  });

  it('EDGE 14 a request too long for the model that summarises is made smaller, and asked again', async () => {
    const body = {
      error: { message: "This model's maximum context length is 3000 tokens.", code: 'context_length_exceeded' },
    };
    const script = [faults.status(400, {}, body), faults.completion(SUMMARY)];
    const { events, requests } = await processed(script);
    const [first, ...others] = requests.map(({ text }) => text.length);
    assert.ok(others.length > 0 && others.every((length) => length < first), `${first}, then ${others}`);
    assert.equal(ofType(events, 'compressed').length, 1);
  });

  it('EDGE 14 a model for which nothing is small enough is not asked for ever', async () => {
    const overflow = faults.status(400, {}, { error: { message: 'too long', code: 'context_length_exceeded' } });
    const { isUnchanged, requests } = await processed([overflow]);
    assert.ok(isUnchanged);
    assert.ok(requests.length < 20, `asked ${requests.length} times`);
  });

  it('R7.1 an abort while the server is asked ends the request, leaves the history, and rejects nothing', async () => {
    const controller = new AbortController();
    const { isUnchanged, requests, events } = await processed([faults.hang()], {
      host: overfull(),
      signal: controller.signal,
      whileAsked: () => controller.abort(),
    });
    assert.ok(isUnchanged);
    assert.deepEqual(ofType(events, 'truncated'), []);
    await requests[0].closed;
  });

  it('R7.9 what the host appends while the server is asked stays behind the summary', async () => {
    const host = full();
    const late = { role: 'user', content: 'one more thing' };
    const { events } = await processed(
      [(response, request) => setImmediate(faults.completion(SUMMARY), response, request)],
      {
        host,
        whileAsked: () => host.append(late),
      },
    );
    assert.equal(ofType(events, 'compressed').length, 1);
    assert.equal(host.messages.at(-1).content, late.content);
  });
});
