// @ts-check
/** Compression with HttpLlmClient against a local server that succeeds, fails, or hangs. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Application, assertFits, countTokens } from '../../support/compressed-host.mjs';
import { AutoCompressionManager, WINDOW } from '../../support/compression.mjs';
import * as faults from '../../support/fault-server.mjs';
import { clientOf, KEY, withServer } from '../../support/http-llm.mjs';
import { Scribe } from '../../support/random-sessions.mjs';
import { SUMMARY } from '../../support/scripted-llm.mjs';

/** An application with a history of more than `share` of the window. @param {number} share */
function applicationWith(share) {
  const application = new Application({ isFrozen: true });
  const scribe = new Scribe('openai', countTokens);
  application.append({ role: 'system', content: 'You fix builds.' });
  const plan = { ask: 5, say: 20, calls: [{ words: 40, fails: false, file: 1 }], usage: 'none' };
  while (countTokens(application.messages) <= share * WINDOW)
    application.append(...scribe.write(plan, application.messages));
  return application;
}

const aboveThreshold = () => applicationWith(0.8);
const aboveHardLimit = () => applicationWith(1);

/**
 * One `process` call whose summary is requested from a server with this script.
 * @param {faults.Fault[] | ((request: faults.Received, index: number) => faults.Fault)} script
 * @param {{ application?: Application, client?: object, settings?: object, duringRequest?: () => void, signal?: AbortSignal }} [options]
 *   `client`: options of HttpLlmClient; `duringRequest` is called when the server has received the request
 */
async function processOverHttp(
  script,
  { application = aboveThreshold(), client, settings, duringRequest, signal } = {},
) {
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
    const before = [...application.messages];
    const done = manager.process(application.messages, { signal });
    if (duringRequest !== undefined) {
      await server.received(1);
      duringRequest();
    }
    await done;
    application.assertUntouched();
    application.assertWhole();
    assert.ok(!log.join('\n').includes(KEY), 'R9.2 the key reached the log');
    assert.ok(!log.join('\n').includes('request 1:'), 'R9.2 message content reached the log');
    const { messages } = application;
    const isUnchanged = before.length === messages.length && before.every((message, at) => message === messages[at]);
    return { messages, events, isUnchanged, requests: server.requests, stats: manager.stats() };
  });
}

/** @param {readonly any[]} events @param {string} type */
const ofType = (events, type) => events.filter((event) => event.type === type);

describe('compression through HttpLlmClient', () => {
  it('REQ-3.2 a summary from an OpenAI-style server replaces the summarised messages', async () => {
    const { messages, events, requests, stats } = await processOverHttp([faults.completion(SUMMARY)]);
    assert.equal(ofType(events, 'compressed').length, 1);
    assert.equal(requests.length, 1);
    assert.deepEqual([requests[0].json.model, requests[0].json.max_tokens], ['fast', 1_000]);
    assert.ok(messages[1].content.includes('Bring the build back to green.'));
    assert.deepEqual([stats.llmPromptTokens, stats.llmCompletionTokens], [11, 3]);
  });

  it('REQ-3.2 a summary from an Anthropic-style server replaces the summarised messages', async () => {
    const { messages, events, requests } = await processOverHttp([faults.anthropicMessage(SUMMARY)], {
      client: { style: 'anthropic' },
    });
    assert.equal(ofType(events, 'compressed').length, 1);
    assert.equal(requests[0].path, '/v1/messages');
    assert.equal(messages[1].isCompressed, true);
    assert.ok(messages[1].content.includes('Bring the build back to green.'));
  });

  /** @type {[string, Record<string, string>][]} */
  const rateLimits = [
    ['without', {}],
    ['with', { 'retry-after': '0' }],
  ];
  for (const [presence, headers] of rateLimits) {
    it(`R7.2 after a 429 ${presence} Retry-After the request is sent again, and its summary is applied`, async () => {
      const { events, requests } = await processOverHttp([faults.status(429, headers), faults.completion(SUMMARY)]);
      assert.equal(requests.length, 2);
      assert.equal(ofType(events, 'compressed').length, 1);
    });
  }

  /** @type {[string, faults.Fault, object?][]} */
  const failures = [
    ['500s', faults.status(500)],
    ['a 401', faults.status(401)],
    ['malformed JSON', faults.raw('{"choices":[{"message":', { headers: { 'content-type': 'application/json' } })],
    ['an HTML page', faults.raw('<html>busy</html>', { headers: { 'content-type': 'text/html' } })],
    ['a closed connection', faults.cut()],
    ['a connection closed in the body', faults.cutInBody()],
    ['a response above maxResponseBytes', faults.flood(4_000_000), { maxResponseBytes: 100_000 }],
    ['a read timeout', faults.hang(), { readTimeoutMs: 100, maxRetries: 0 }],
    ['an empty summary', faults.completion('')],
    ['a summary that was cut off', faults.completion('## Goal\nBring the', { finishReason: 'length' })],
    ['a filtered summary', faults.completion('', { finishReason: 'content_filter' })],
  ];
  for (const [name, fault, client] of failures) {
    it(`REQ-3.2 after ${name} a history below the hard limit is unchanged, and one warning is logged`, async () => {
      const { isUnchanged, events, requests, stats } = await processOverHttp([fault], { client });
      assert.ok(isUnchanged);
      const warnings = events.filter(({ level }) => level === 'warn');
      assert.deepEqual(warnings.length, 1, JSON.stringify(events));
      assert.ok(['summary_failed', 'summary_refused'].includes(warnings[0].type));
      if (name === 'a 401') assert.deepEqual([requests.length, stats.failed], [1, 1]);
    });

    it(`REQ-3.4 after ${name} a history above the hard limit is cut below it`, async () => {
      const { messages, events } = await processOverHttp([fault], { client, application: aboveHardLimit() });
      assert.equal(ofType(events, 'truncated').length, 1);
      assertFits(messages, { window: WINDOW }, []);
    });
  }

  it('R7.1 after autoCompressionSummaryTimeoutMs the connection to a hanging server is closed and nothing changes', async () => {
    // Long enough for the request to arrive on a busy machine.
    const settings = { autoCompressionSummaryTimeoutMs: 1_500 };
    const { isUnchanged, events, requests } = await processOverHttp([faults.hang()], { settings });
    assert.ok(isUnchanged);
    assert.deepEqual(
      ofType(events, 'summary_failed').map(({ code }) => code),
      ['timeout'],
    );
    await requests[0].closed;
  });

  it('R7.1 after autoCompressionSummaryTimeoutMs a response that never ends is aborted and nothing changes', async () => {
    const { isUnchanged, events } = await processOverHttp([faults.drip(5)], {
      settings: { autoCompressionSummaryTimeoutMs: 100 },
    });
    assert.ok(isUnchanged);
    assert.equal(ofType(events, 'summary_failed').length, 1);
  });

  it('EDGE 14 a request that overflows the summary model is sent again with less text', async () => {
    const body = {
      error: { message: "This model's maximum context length is 3000 tokens.", code: 'context_length_exceeded' },
    };
    const script = [faults.status(400, {}, body), faults.completion(SUMMARY)];
    const { events, requests } = await processOverHttp(script);
    const [firstLength, ...lengths] = requests.map(({ text }) => text.length);
    assert.ok(lengths.length > 0 && lengths.every((length) => length < firstLength), `${firstLength}, then ${lengths}`);
    assert.equal(ofType(events, 'compressed').length, 1);
  });

  it('EDGE 14 a model that reports an overflow for every request gets fewer than 20', async () => {
    const overflow = faults.status(400, {}, { error: { message: 'too long', code: 'context_length_exceeded' } });
    const { isUnchanged, requests } = await processOverHttp([overflow]);
    assert.ok(isUnchanged);
    assert.ok(requests.length < 20, `${requests.length} requests`);
  });

  it('R7.1 an abort closes the connection, changes nothing, and process resolves', async () => {
    const controller = new AbortController();
    const { isUnchanged, requests, events } = await processOverHttp([faults.hang()], {
      application: aboveHardLimit(),
      signal: controller.signal,
      duringRequest: () => controller.abort(),
    });
    assert.ok(isUnchanged);
    assert.deepEqual(ofType(events, 'truncated'), []);
    await requests[0].closed;
  });

  it('R7.9 a message appended during the request stays after the summary', async () => {
    const application = aboveThreshold();
    const late = { role: 'user', content: 'one more thing' };
    const { events } = await processOverHttp(
      [(response, request) => setImmediate(faults.completion(SUMMARY), response, request)],
      {
        application,
        duringRequest: () => application.append(late),
      },
    );
    assert.equal(ofType(events, 'compressed').length, 1);
    assert.equal(application.messages.at(-1).content, late.content);
  });
});
