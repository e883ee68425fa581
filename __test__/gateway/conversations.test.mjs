// @ts-check
/** Whole conversations: what they cost, that strict providers take them, and that a new process goes on. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { HOUR, KINDS, START, send, startGateway, startUpstream, temporaryFolder } from '../support/gateway.mjs';
import { play } from '../support/gateway-lives.mjs';

const STEP = 20_000;
const withPauses = (/** @type {number} */ request) => (request % 15 === 14 ? HOUR : STEP);

describe('a conversation of 60 requests', () => {
  for (const kind of Object.keys(KINDS)) {
    test(`${kind}: with pauses it costs less than 0.9, warm not more, and a strict provider refuses nothing`, async (t) => {
      for (const pauseMs of [undefined, withPauses]) {
        const ours = await play(t, { kind, pauseMs });
        const dry = await play(t, { kind, pauseMs, isDry: true });
        assert.deepEqual([...ours.refused, ...dry.refused], []);
        const ratio = ours.bill.cost / dry.bill.cost;
        assert.ok(ratio <= (pauseMs === undefined ? 1 : 0.9), `${ratio}`);
        assert.equal(ours.gateway.counts.passed.size, 0);
        assert.ok(Math.abs(ours.ledger.cost / ours.bill.cost - 1) < 0.001, 'paid is what the provider reports');
        assert.ok(Math.abs(ours.ledger.costLeftAlone / dry.bill.cost - 1) < 0.05, 'so is the rest, about');
        assert.ok(Math.abs(dry.ledger.costLeftAlone / dry.bill.cost - 1) < 0.001);
        assert.ok(Math.abs(dry.ledger.cost / ours.bill.cost - 1) < 0.05, 'a dry run foretells the bill');
      }
    });

    test(`${kind}: a dry run sends the client's bytes`, async (t) => {
      const { texts, gateway } = await play(t, { kind, pauseMs: withPauses, requests: 40, isDry: true });
      for (const [request, text] of texts.entries()) {
        const { messages, ...more } = KINDS[kind].body(request);
        // Of Anthropic's requests the mock keeps the messages.
        assert.equal(
          text,
          JSON.stringify(kind === 'anthropic' ? messages : { ...more, ...(messages && { messages }) }),
        );
      }
      assert.equal(gateway.counts.changed, 0);
    });

    test(`${kind}: a gateway that is started anew every seven requests sends the same bytes`, async (t) => {
      const life = { kind, pauseMs: withPauses, requests: 50 };
      const one = await play(t, life);
      const many = await play(t, { ...life, folder: temporaryFolder(t), restarts: (request) => request % 7 === 6 });
      assert.ok(one.gateway.counts.changed > 0);
      assert.deepEqual(many.texts, one.texts);
    });
  }
});

/** @param {import('../support/gateway.mjs').Test} t */
async function recording(t, more = {}) {
  let now = START;
  const upstream = await startUpstream(t);
  const started = await startGateway(t, { upstream: upstream.url, clock: () => now, ...more });
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

describe('which conversation it is', () => {
  const { body } = KINDS.anthropic;
  const named = (/** @type {any} */ request) => ({
    ...request,
    metadata: { user_id: JSON.stringify({ session_id: '11111111-2222' }) },
  });

  test('sub-agents and titles of the same session change nothing about the main conversation', async (t) => {
    const plain = await recording(t);
    const busy = await recording(t);
    const agent = named(body(0));
    agent.messages = [{ role: 'user', content: 'You search.' }];
    for (let step = 0; step < 45; step++) {
      for (const gateway of [plain, busy]) gateway.pause(withPauses(step));
      const request = named(body(step));
      const expected = await plain.ask('anthropic', request);
      assert.deepEqual(await busy.ask('anthropic', request), expected);
      const { tools, ...title } = named(body(1));
      assert.deepEqual(JSON.parse(String(await busy.ask('anthropic', title))), title);
      assert.deepEqual(JSON.parse(String(await busy.ask('anthropic', agent))), agent);
    }
    assert.ok(plain.gateway.counts.changed > 0);
  });

  test('a conversation that began without the gateway loses nothing while its prompt is cached', async (t) => {
    const { ask, pause, gateway } = await recording(t);
    const first = JSON.stringify(KINDS.chat.body(50));
    assert.equal(String(await ask('chat', first)), first);
    pause(STEP);
    await ask('chat', KINDS.chat.body(51));
    assert.equal(gateway.counts.changed, 0);
    pause(HOUR);
    await ask('chat', KINDS.chat.body(52));
    assert.equal(gateway.counts.changed, 1);
  });

  test('after a dry run a real one sends what the provider still has', async (t) => {
    const folder = temporaryFolder(t);
    const dry = await recording(t, { isDry: true, folder });
    for (let step = 0; step < 40; step++) {
      dry.pause(withPauses(step));
      await dry.ask('chat', KINDS.chat.body(step));
    }
    const real = await recording(t, { folder });
    const next = JSON.stringify(KINDS.chat.body(40));
    assert.equal(String(await real.ask('chat', next)), next);
  });

  test('a reminder that moves on with each request hides no pause', async (t) => {
    const { ask, pause, gateway } = await recording(t);
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

describe('what is sent', () => {
  test('of a compressed request is compressed as it was', async (t) => {
    const { ask, pause, gateway } = await recording(t);
    for (let step = 0; step < 45; step++) {
      pause(withPauses(step));
      const given = gzipSync(JSON.stringify(KINDS.responses.body(step)));
      const sent = await ask('responses', given, { 'content-encoding': 'gzip' });
      assert.equal(JSON.parse(String(gunzipSync(sent))).input.length, KINDS.responses.body(step).input.length);
    }
    assert.ok(gateway.counts.changed > 0);
  });

  test('of Codex keeps items of no known kind, and fields of its own, where results around them go', async (t) => {
    const { ask, pause, gateway } = await recording(t);
    let changed = 0;
    for (let step = 0; step < 45; step++) {
      pause(withPauses(step));
      const { tools, input, ...given } = KINDS.responses.body(step);
      const items = input.map((item) => ({ ...item, internal_metadata: { turn_id: '1' } }));
      const body = { ...given, input: [{ type: 'additional_tools', role: 'developer', tools }, ...items] };
      const sent = JSON.parse(String(await ask('responses', body, { 'thread-id': 'one' })));
      const others = (/** @type {any[]} */ all) => all.map(({ output, ...item }) => item);
      assert.deepEqual(others(sent.input), others(body.input));
      changed += sent.input.filter(({ output }, at) => output !== body.input[at].output).length;
    }
    assert.ok(changed > 0 && gateway.counts.passed.size === 0);
  });

  test('with PALIMPSEST=off is what came', async (t) => {
    const { ask, pause } = await recording(t, { environment: { PALIMPSEST: 'off' } });
    for (let step = 0; step < 40; step++) {
      pause(HOUR);
      const text = JSON.stringify(KINDS.gemini.body(step));
      assert.equal(String(await ask('gemini', text)), text);
    }
  });

  test('has the client’s breakpoints, at most four in all, and one ahead of the next removal before it comes', async (t) => {
    const { ask, pause } = await recording(t);
    const { body } = KINDS.anthropic;
    let before = new Set();
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
      if (changed >= 0 && removals++ === 0) assert.ok(before.has(changed - 1), `${[...before]} ahead of ${changed}`);
      before = new Set(marked);
    }
    assert.ok(removals > 0);
  });
});
