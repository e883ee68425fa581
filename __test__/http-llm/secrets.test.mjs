// @ts-check
/** No secret of a request appears in errors, in logs, or in a printed client. */
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { inspect } from 'node:util';
import { setLogger } from 'palimpsest';
import * as faults from '../support/fault-server.mjs';
import { clientOf, KEY, PROMPT, question, rejection, withServer } from '../support/http-llm.mjs';

const OTHERS = { header: 'team-header-secret', password: 'url-password-secret', query: 'url-query-secret' };
const options = { headers: { 'x-team': OTHERS.header } };

/** Everything that a logger could make of `value`. @param {any} value @returns {string} */
function shown(value) {
  const forms = [String(value), inspect(value, { depth: 9, showHidden: false, getters: true }), JSON.stringify(value)];
  return [...forms, value?.stack, value?.message, value?.cause && shown(value.cause)].join('\n');
}

/** @param {string} text */
function assertHasNoSecret(text) {
  for (const secret of [KEY, PROMPT, ...Object.values(OTHERS)]) assert.ok(!text.includes(secret), text);
}

/** @param {string} url */
const withSecrets = (url) => `${url.replace('://', `://user:${OTHERS.password}@`)}?key=${OTHERS.query}`;

describe('R9.2 key, header values, URLs’ secrets and prompts', () => {
  afterEach(() => setLogger(null));

  it('are not in a printed client', async () => {
    await withServer([faults.completion('hi')], async ({ url }) => {
      const client = clientOf(
        { url: withSecrets(url) },
        { ...options, proxy: `http://u:${OTHERS.password}@127.0.0.1:1` },
      );
      assertHasNoSecret(shown(client));
      assertHasNoSecret(inspect(client, { showHidden: true, depth: 9, getters: true }));
    });
  });

  const echo = { error: { message: `Incorrect API key: ${KEY} in ${PROMPT}`, type: KEY, code: KEY, param: PROMPT } };
  /** @type {Record<string, import('../support/fault-server.mjs').Fault>} */
  const script = {
    'a refusal that quotes them': faults.json(echo, { status: 401, headers: { 'x-request-id': `id-${KEY}` } }),
    'a success that quotes them': faults.json(echo),
    'an overflow that quotes them': faults.json(
      { error: { message: `prompt is too long: 5 tokens > 4 maximum ${KEY} ${PROMPT}` } },
      { status: 400 },
    ),
    'a page that quotes them': faults.raw(`${KEY} ${PROMPT}`, { headers: { 'content-type': `text/${KEY}` } }),
    'a redirect that quotes them': faults.raw('', {
      status: 307,
      headers: { location: `http://x.invalid/${KEY}?${PROMPT}` },
    }),
    'a connection that is cut': faults.cut(),
    'a response that never begins': faults.hang(),
  };
  for (const [what, fault] of Object.entries(script)) {
    it(`are neither in the error nor in the log after ${what}`, async () => {
      /** @type {unknown[]} */
      const events = [];
      const log = (/** @type {unknown[]} */ ...event) => void events.push(event);
      setLogger({ debug: log, info: log, warn: log, error: log });
      await withServer([fault], async ({ url }) => {
        const client = clientOf({ url: withSecrets(url) }, { ...options, readTimeoutMs: 60, maxRetries: 1 });
        const error = await rejection(client.chat(question));
        assertHasNoSecret(shown(error));
        assert.ok(events.length > 0);
        assertHasNoSecret(JSON.stringify(events));
      });
    });
  }

  it('are not in the error after a failed connection', async () => {
    const server = await faults.startFaultServer([]);
    await server.close();
    const error = await rejection(clientOf({ url: withSecrets(server.url) }, options).chat(question));
    assert.equal(error.code, 'LLM_CONNECT');
    assertHasNoSecret(shown(error));
  });

  it('are not enumerable in the error; `providerMessage` has the provider’s message with the key masked', async () => {
    await withServer([faults.json(echo, { status: 401 })], async (server) => {
      const error = await rejection(clientOf(server).chat(question));
      assert.equal(error.providerMessage, `Incorrect API key: [masked] in ${PROMPT}`);
      assert.ok(!Object.keys(error).includes('providerMessage'));
    });
  });
});

describe('R9.1 log events of HttpLlmClient', () => {
  afterEach(() => setLogger(null));

  it('the log has each attempt with its status and duration, each wait, and the outcome at debug level', async () => {
    /** @type {{ fields: any, message: string }[]} */
    const events = [];
    setLogger({ debug: (message, fields) => void events.push({ fields, message }) });
    await withServer([faults.status(503), faults.completion('hi')], async (server) => {
      await clientOf(server).chat(question);
    });
    const requestEvents = events.filter(({ message }) => message.startsWith('model request'));
    assert.deepEqual(
      requestEvents.map(({ message, fields: { attempt, status, outcome, attempts } }) => [
        message,
        attempt ?? attempts,
        outcome,
        status,
      ]),
      [
        ['model request answered', 1, 'LLM_HTTP_STATUS', 503],
        ['model request repeated', 2, undefined, undefined],
        ['model request answered', 2, 'ok', 200],
        ['model request done', 2, 'ok', undefined],
      ],
    );
    assert.ok(requestEvents.every(({ fields }) => Number.isInteger(fields.duration_ms ?? fields.wait_ms)));
  });
});
