// @ts-check
/** `middleware` of `palimpsest/anthropic` in Anthropic's own client, whose requests are validated like at a strict endpoint. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import { setLogger } from 'palimpsest';
import { middleware } from 'palimpsest/anthropic';
import {
  clientWith,
  firstMessage,
  PARAMS,
  play,
  replacedIn,
  reportOf,
  resultsIn,
  turn,
} from '../support/adapters/anthropic.mjs';
import {
  assertLedger,
  assertNeverRestored,
  heapGrowth,
  prefixChanges,
  REMOVE_AT_ONCE,
} from '../support/adapters/tool-loop.mjs';

/** @typedef {import('@anthropic-ai/sdk').default.MessageParam} MessageParam */

const MINUTE = 60_000;
const START = Date.UTC(2026, 9, 1);

beforeEach(() => mock.timers.enable({ apis: ['Date'], now: START }));
afterEach(() => {
  mock.timers.reset();
  setLogger(null);
});

const waitMinutes = (/** @type {number} */ minutes) => mock.timers.setTime(Date.now() + minutes * MINUTE);

/** Ids of replaced command outputs: of the two calls of a step, the second is the command. @param {any} body */
const replacedCommands = (body) => replacedIn(body).filter((id) => Number(id.slice(5)) % 2 === 1);

describe('palimpsest/anthropic: middleware', () => {
  test('ADAPTERS 1 outdated results are removed in batches, and a removed result is never sent in full again', async () => {
    const { client, bodies, problems } = clientWith([middleware({ outdatedBy: 'age', arrivalTimes: true })], reportOf);
    await play(client, 'one', 60, waitMinutes);
    assert.deepEqual(problems, []);
    const changes = prefixChanges(bodies.map(({ messages }) => messages));
    assert.ok(changes > 0 && changes <= 6, `${changes} changes of 60 requests`);
    assertNeverRestored(bodies.map(replacedIn));
    assert.ok(replacedIn(bodies.at(-1)).length >= 60);
  });

  test('R10.7 the ledger has the cost of the requests and of the unmodified history', async () => {
    const adapter = middleware(REMOVE_AT_ONCE);
    const { client, bodies } = clientWith([adapter], reportOf);
    await play(client, 'one', 20, waitMinutes);
    // The ledger also has the request that led to the first stored assistant message.
    assertLedger(adapter.ledger(), bodies.length + 1);
  });

  test('ADAPTERS 2 and 3 interleaved conversations with the same first message and call ids are each sent what they are sent alone', async () => {
    const alone = [];
    for (const name of ['left', 'right']) {
      mock.timers.setTime(START);
      const { client, bodies } = clientWith([middleware({ outdatedBy: 'age', arrivalTimes: true })]);
      await play(client, name, 30, waitMinutes, firstMessage('it'));
      alone.push(bodies.map(({ messages }) => messages));
    }
    mock.timers.setTime(START);
    const { client, bodies, problems } = clientWith([middleware({ outdatedBy: 'age', arrivalTimes: true })]);
    const [left, right] = [firstMessage('it'), firstMessage('it')];
    for (let step = 0; step < 30; step++) {
      left.push(...turn('left', step));
      right.push(...turn('right', step));
      waitMinutes(step % 12 === 11 ? 20 : 1);
      await Promise.all([
        client.messages.create({ ...PARAMS, messages: left }),
        client.messages.create({ ...PARAMS, messages: right }),
      ]);
    }
    assert.deepEqual(problems, []);
    const messagesOf = (/** @type {string} */ name) =>
      bodies.map(({ messages }) => messages).filter((messages) => JSON.stringify(messages).includes(`${name} `));
    assert.ok(replacedIn(bodies.at(-1)).length > 0);
    assert.deepEqual(messagesOf('left'), alone[0]);
    assert.deepEqual(messagesOf('right'), alone[1]);
  });

  test('ADAPTERS 3 the memory of forgotten conversations is freed', async () => {
    const { client, bodies } = clientWith([middleware({ maxViews: 4 })]);
    const sendLargeConversation = async (/** @type {string} */ name) => {
      const messages = [...firstMessage(name), ...turn(name, 0), ...turn(name, 1)];
      for (const message of messages.slice(1)) {
        if (message.role !== 'user' || typeof message.content === 'string') continue;
        for (const block of message.content) if (block.type === 'tool_result') block.content += name.repeat(30_000);
      }
      await client.messages.create({ ...PARAMS, messages });
      bodies.length = 0;
    };
    const growth = await heapGrowth(sendLargeConversation, 60);
    // Each conversation has more than 900,000 characters.
    assert.ok(growth < 8 * 2 ** 20, `${growth} bytes more`);
  });

  test('R13.4 a repeated request has the same bytes', async () => {
    const { client, bodies } = clientWith([middleware({ outdatedBy: 'age', arrivalTimes: true })]);
    const messages = await play(client, 'one', 30, waitMinutes);
    await client.messages.create({ ...PARAMS, messages });
    assert.deepEqual(bodies.at(-1), bodies.at(-2));
    assert.ok(replacedIn(bodies.at(-1)).length > 0);
  });

  test("R13.4 the client's own retries send the same bytes, also if the cache has become cold", async () => {
    const { client, bodies } = clientWith(
      [middleware({ outdatedBy: 'age', arrivalTimes: true })],
      ({ messages }, count) => {
        if (messages.length < 61 || count > 30) return undefined;
        waitMinutes(30);
        return new Response('{"type":"error"}', { status: 529, headers: { 'retry-after-ms': '1' } });
      },
    );
    await play(client, 'one', 30, waitMinutes);
    assert.equal(bodies.length, 32, 'two retries');
    assert.deepEqual(bodies[31], bodies[29]);
    assert.deepEqual(bodies[30], bodies[29]);
  });

  test("ADAPTERS 5 and 10 an unanswered call gets an error result before the message's text, and all other blocks stay", async () => {
    const { client, bodies, problems } = clientWith([middleware()]);
    const [assistant, results] = turn('one', 0);
    const [firstResult] = /** @type {any[]} */ (results.content);
    const messages = /** @type {MessageParam[]} */ ([
      ...firstMessage('one'),
      assistant,
      { role: 'user', content: [firstResult, { type: 'text', text: 'Stop.' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'I have stopped.' }] },
      { role: 'user', content: 'Go on.' },
    ]);
    await client.messages.create({ ...PARAMS, messages });
    assert.deepEqual(problems, []);
    const sent = bodies[0].messages;
    assert.deepEqual(sent[1], assistant);
    assert.deepEqual(sent[2].content[0], firstResult);
    assert.equal(sent[2].content[1].is_error, true);
    assert.equal(sent[2].content[1].tool_use_id, 'call_1');
    assert.deepEqual(sent[2].content[2], { type: 'text', text: 'Stop.' });
    assert.deepEqual(sent.slice(3), messages.slice(3));
  });

  test('ADAPTERS 6 server tool calls and the calls of the turn in progress are sent unchanged', async () => {
    const { client, bodies } = clientWith([middleware()]);
    const messages = /** @type {MessageParam[]} */ ([
      ...firstMessage('one'),
      {
        role: 'assistant',
        content: [
          { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } },
          { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
          { type: 'text', text: 'Found nothing.' },
        ],
      },
      { role: 'user', content: 'Look here then.' },
      turn('one', 0)[0],
    ]);
    const before = JSON.stringify(messages);
    await client.messages.create({ ...PARAMS, messages });
    assert.equal(JSON.stringify(bodies[0].messages), before);
  });

  test('ADAPTERS 7, 8 and 9 errors stay, a result of several parts is replaced as a whole, and only outputs change', async () => {
    const { client, bodies, problems } = clientWith([middleware({ outdatedBy: 'age', arrivalTimes: true })]);
    const messages = firstMessage('one');
    const cache_control = /** @type {const} */ ({ type: 'ephemeral' });
    const image = {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo='.repeat(900) },
    };
    for (let step = 0; step < 30; step++) {
      const [assistant, results] = turn('one', step);
      const [read, run] = /** @type {any[]} */ (results.content);
      if (step === 1) run.is_error = true;
      if (step === 2) run.content = [{ type: 'text', text: run.content }, image];
      if (step === 3) run.cache_control = cache_control;
      messages.push(/** @type {any} */ (assistant), { role: 'user', content: [read, run] });
      waitMinutes(step % 12 === 11 ? 20 : 1);
      await client.messages.create({ ...PARAMS, messages });
    }
    assert.deepEqual(problems, []);
    const last = bodies.at(-1);
    const replaced = new Set(replacedIn(last));
    assert.ok(!replaced.has('call_3') && resultsIn(last).get('call_3').is_error);
    assert.ok(replaced.has('call_5') && replaced.has('call_7'));
    assert.deepEqual(resultsIn(last).get('call_7').cache_control, cache_control);
    assert.equal(last.messages.length, messages.length);
    // All except the outputs is unchanged, signatures of thinking included.
    const withoutOutputs = (/** @type {any} */ _key, /** @type {any} */ value) =>
      value?.type === 'tool_result' ? { ...value, content: '' } : value;
    assert.equal(JSON.stringify(last.messages, withoutOutputs), JSON.stringify(messages, withoutOutputs));
  });

  test("ADAPTERS 11 a tool runner's request with a thread is sent unchanged, and a warning recommends `thread: false`", async () => {
    /** @type {string[]} */
    const warnings = [];
    setLogger({ debug() {}, info() {}, warn: (/** @type {string} */ text) => warnings.push(text), error() {} });
    const { client, bodies } = clientWith([middleware({ cacheControl: true })]);
    const tool = {
      type: /** @type {const} */ ('custom'),
      name: 'look',
      description: 'Looks.',
      input_schema: { type: /** @type {const} */ ('object') },
      run: () => 'nothing',
      parse: (/** @type {unknown} */ input) => input,
    };
    const params = { ...PARAMS, messages: [{ role: /** @type {const} */ ('user'), content: 'Look.' }], tools: [tool] };
    await client.beta.messages.toolRunner(/** @type {any} */ (params));
    assert.equal(bodies[0].thread.type, 'create');
    assert.deepEqual(bodies[0].messages, params.messages);
    assert.match(warnings.join(), /`thread: false`/);
    await client.beta.messages.toolRunner(/** @type {any} */ ({ ...params, thread: false }));
    assert.equal(bodies[1].thread, undefined);
    assert.deepEqual(bodies[1].messages[0].content[0].cache_control, { type: 'ephemeral' });
  });

  test('ADAPTERS 12 a result without a time ages from the first request that contains it', async () => {
    const { client, bodies } = clientWith([middleware(REMOVE_AT_ONCE)]);
    const messages = firstMessage('one');
    for (let step = 0; step < 12; step++) {
      messages.push(...turn('one', step));
      await client.messages.create({ ...PARAMS, messages });
    }
    waitMinutes(14);
    messages.push(...turn('one', 12));
    await client.messages.create({ ...PARAMS, messages });
    assert.deepEqual(replacedCommands(bodies.at(-1)), []);
    waitMinutes(2);
    messages.push(...turn('one', 13));
    await client.messages.create({ ...PARAMS, messages });
    assert.ok(replacedCommands(bodies.at(-1)).length >= 7);
  });

  test('R0.1 the messages of the application are unchanged', async () => {
    const { client, bodies } = clientWith([middleware({ cacheControl: true })]);
    const messages = await play(client, 'one', 30, waitMinutes);
    const expected = firstMessage('one');
    for (let step = 0; step < 30; step++) expected.push(...turn('one', step));
    assert.deepEqual(messages, expected);
    assert.notDeepEqual(bodies.at(-1).messages, messages);
  });

  test('R1.1 the timestamp of a message determines the age of its results, and is not sent', async () => {
    const { client, bodies } = clientWith([middleware(REMOVE_AT_ONCE)]);
    for (const isTimed of [false, true]) {
      const messages = firstMessage(isTimed ? 'one' : 'other');
      for (let step = 0; step < 12; step++) {
        for (const message of turn('one', step)) {
          const timestamp = START - (60 - step) * MINUTE;
          messages.push(/** @type {any} */ (isTimed ? { ...message, timestamp } : message));
        }
      }
      messages.push(/** @type {any} */ ({ role: 'user', content: 'Go on.', ...(isTimed && { timestamp: START }) }));
      await client.messages.create({ ...PARAMS, messages });
    }
    assert.ok(bodies.every((body) => body.messages.every((/** @type {any} */ message) => !('timestamp' in message))));
    const [untimed, timed] = bodies.map((body) => replacedCommands(body).length);
    assert.equal(untimed, 0);
    assert.ok(Number(timed) >= 7);
  });
});
