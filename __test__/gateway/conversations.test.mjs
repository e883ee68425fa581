// @ts-check
/** Whole conversations through the gateway: their cost, their validity for a strict provider, and restarts of the gateway. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { HOUR, KINDS, START, send, startGateway, startUpstream, temporaryFolder } from '../support/gateway.mjs';
import { runConversation } from '../support/gateway-lives.mjs';

const STEP = 20_000;
const withPauses = (/** @type {number} */ request) => (request % 15 === 14 ? HOUR : STEP);

describe('a conversation of 60 requests through the gateway', () => {
  for (const kind of Object.keys(KINDS)) {
    test(`R10.5 ${kind}: the gateway costs at most 0.9 with pauses, at most 1 without, and no request is refused`, async (t) => {
      for (const pauseMs of [undefined, withPauses]) {
        const ours = await runConversation(t, { kind, pauseMs });
        const dry = await runConversation(t, { kind, pauseMs, isDry: true });
        assert.deepEqual([...ours.refused, ...dry.refused], []);
        const ratio = ours.bill.cost / dry.bill.cost;
        assert.ok(ratio <= (pauseMs === undefined ? 1 : 0.9), `${ratio}`);
        assert.equal(ours.gateway.counts.passed.size, 0);
        assert.ok(Math.abs(ours.ledger.cost / ours.bill.cost - 1) < 0.001, 'the ledger’s cost is the provider’s bill');
        assert.ok(
          Math.abs(ours.ledger.costLeftAlone / dry.bill.cost - 1) < 0.05,
          'the cost of the unmodified history is an estimate',
        );
        assert.ok(Math.abs(dry.ledger.costLeftAlone / dry.bill.cost - 1) < 0.001);
        assert.ok(Math.abs(dry.ledger.cost / ours.bill.cost - 1) < 0.05, 'a dry run predicts the bill');
      }
    });

    test(`${kind}: a dry run sends the client's bytes`, async (t) => {
      const { texts, gateway } = await runConversation(t, { kind, pauseMs: withPauses, requests: 40, isDry: true });
      for (const [request, text] of texts.entries()) {
        const { messages, ...fields } = KINDS[kind].body(request);
        // The mock of Anthropic's API records only the messages.
        assert.equal(
          text,
          JSON.stringify(kind === 'anthropic' ? messages : { ...fields, ...(messages && { messages }) }),
        );
      }
      assert.equal(gateway.counts.changed, 0);
    });

    test(`R15.2 ${kind}: a gateway that restarts every seven requests sends the same bytes`, async (t) => {
      const run = { kind, pauseMs: withPauses, requests: 50 };
      const uninterrupted = await runConversation(t, run);
      const restarted = await runConversation(t, {
        ...run,
        folder: temporaryFolder(t),
        restarts: (request) => request % 7 === 6,
      });
      assert.ok(uninterrupted.gateway.counts.changed > 0);
      assert.deepEqual(restarted.texts, uninterrupted.texts);
    });
  }
});

/** @param {import('../support/gateway.mjs').Test} t */
async function startRecording(t, options = {}) {
  let now = START;
  const upstream = await startUpstream(t);
  const started = await startGateway(t, { upstream: upstream.url, clock: () => now, ...options });
  /** @param {string} kind @param {any} body @param {Record<string, string>} [headers] */
  const ask = async (kind, body, headers = {}) => {
    const { provider, path } = KINDS[kind];
    const text = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    await send(`${started.urls[provider]}${path}`, { body: text, headers });
    return /** @type {Buffer} */ (upstream.received.at(-1)?.body);
  };
  const pause = (/** @type {number} */ ms) => {
    now += ms;
  };
  return { ...started, ask, pause };
}

describe('how the gateway recognises a conversation', () => {
  const { body } = KINDS.anthropic;
  const withSession = (/** @type {any} */ request) => ({
    ...request,
    metadata: { user_id: JSON.stringify({ session_id: '11111111-2222' }) },
  });

  test('R10.15 requests of sub-agents and for titles don’t change what is sent for the main conversation', async (t) => {
    const plain = await startRecording(t);
    const busy = await startRecording(t);
    const agent = withSession(body(0));
    agent.messages = [{ role: 'user', content: 'You search.' }];
    for (let step = 0; step < 45; step++) {
      for (const gateway of [plain, busy]) gateway.pause(withPauses(step));
      const request = withSession(body(step));
      const expected = await plain.ask('anthropic', request);
      assert.deepEqual(await busy.ask('anthropic', request), expected);
      const { tools, ...title } = withSession(body(1));
      assert.deepEqual(JSON.parse(String(await busy.ask('anthropic', title))), title);
      assert.deepEqual(JSON.parse(String(await busy.ask('anthropic', agent))), agent);
    }
    assert.ok(plain.gateway.counts.changed > 0);
  });

  test('a conversation that began without the gateway is unchanged until its cache is cold', async (t) => {
    const { ask, pause, gateway } = await startRecording(t);
    const first = JSON.stringify(KINDS.chat.body(50));
    assert.equal(String(await ask('chat', first)), first);
    pause(STEP);
    await ask('chat', KINDS.chat.body(51));
    assert.equal(gateway.counts.changed, 0);
    pause(HOUR);
    await ask('chat', KINDS.chat.body(52));
    assert.equal(gateway.counts.changed, 1);
  });

  test('after a dry run the gateway sends the cached prompt unchanged', async (t) => {
    const folder = temporaryFolder(t);
    const dry = await startRecording(t, { isDry: true, folder });
    for (let step = 0; step < 40; step++) {
      dry.pause(withPauses(step));
      await dry.ask('chat', KINDS.chat.body(step));
    }
    const real = await startRecording(t, { folder });
    const next = JSON.stringify(KINDS.chat.body(40));
    assert.equal(String(await real.ask('chat', next)), next);
  });

  test('results are removed in pauses although each request ends with another reminder', async (t) => {
    const { ask, pause, gateway } = await startRecording(t);
    for (let step = 0; step < 50; step++) {
      pause(withPauses(step));
      const request = body(step);
      request.messages.push({ role: 'system', content: `Reminder ${step}: be short.` });
      const sent = JSON.parse(String(await ask('anthropic', request)));
      assert.deepEqual(sent.messages.at(-1), request.messages.at(-1));
    }
    assert.ok(gateway.counts.changed > 0);
  });
});

describe('what the gateway sends upstream', () => {
  test('a gzip request is sent as gzip after its results were removed', async (t) => {
    const { ask, pause, gateway } = await startRecording(t);
    for (let step = 0; step < 45; step++) {
      pause(withPauses(step));
      const given = gzipSync(JSON.stringify(KINDS.responses.body(step)));
      const sent = await ask('responses', given, { 'content-encoding': 'gzip' });
      assert.equal(JSON.parse(String(gunzipSync(sent))).input.length, KINDS.responses.body(step).input.length);
    }
    assert.ok(gateway.counts.changed > 0);
  });

  test('unknown items and fields of Codex’s requests stay when results are removed', async (t) => {
    const { ask, pause, gateway } = await startRecording(t);
    let changed = 0;
    for (let step = 0; step < 45; step++) {
      pause(withPauses(step));
      const { tools, input, ...given } = KINDS.responses.body(step);
      const items = input.map((item) => ({ ...item, internal_metadata: { turn_id: '1' } }));
      const body = { ...given, input: [{ type: 'additional_tools', role: 'developer', tools }, ...items] };
      const sent = JSON.parse(String(await ask('responses', body, { 'thread-id': 'one' })));
      const withoutOutputs = (/** @type {any[]} */ items) => items.map(({ output, ...item }) => item);
      assert.deepEqual(withoutOutputs(sent.input), withoutOutputs(body.input));
      changed += sent.input.filter(({ output }, at) => output !== body.input[at].output).length;
    }
    assert.ok(changed > 0 && gateway.counts.passed.size === 0);
  });

  test('with PALIMPSEST=off requests are sent unchanged', async (t) => {
    const { ask, pause } = await startRecording(t, { environment: { PALIMPSEST: 'off' } });
    for (let step = 0; step < 40; step++) {
      pause(HOUR);
      const text = JSON.stringify(KINDS.gemini.body(step));
      assert.equal(String(await ask('gemini', text)), text);
    }
  });

  test('R10.8 a request has the client’s breakpoints, at most four in total, and one before the next removal', async (t) => {
    const { ask, pause } = await startRecording(t);
    const { body } = KINDS.anthropic;
    let previousBreakpoints = new Set();
    let removals = 0;
    for (let step = 0; step < 60; step++) {
      pause(withPauses(step));
      const given = body(step);
      const sent = JSON.parse(String(await ask('anthropic', given)));
      const marked = sent.messages.flatMap((message, index) => (message.content[0].cache_control ? [index] : []));
      assert.equal(marked.at(-1), given.messages.length - 1);
      assert.ok(marked.length <= 2 && JSON.stringify(sent.system) === JSON.stringify(given.system));
      const changed = given.messages.findIndex(
        ({ content }, at) => content[0].content !== sent.messages[at].content[0].content,
      );
      if (changed >= 0 && removals++ === 0) {
        assert.ok(previousBreakpoints.has(changed - 1), `${[...previousBreakpoints]} before ${changed}`);
      }
      previousBreakpoints = new Set(marked);
    }
    assert.ok(removals > 0);
  });
});
