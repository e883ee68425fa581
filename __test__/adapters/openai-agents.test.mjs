// @ts-check
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import { MemorySession } from '@openai/agents';
import { modelInputFilter } from 'palimpsest/openai-agents';
import {
  finalMessage,
  outputOf,
  replacedIn,
  runnerWith,
  scripted,
  turn,
  userMessage,
} from '../support/adapters/openai-agents.mjs';
import { heapAfterCollection, prefixChanges, REMOVE_AT_ONCE } from '../support/adapters/tool-loop.mjs';

const MINUTE = 60_000;
const START = Date.UTC(2026, 9, 1);
/** The list of prices with the shortest time in which a cache is kept, and one process that knows what time it is. */
const OURS = /** @type {const} */ ({ price: 'anthropic', outdatedBy: 'age', arrivalTimes: true });

beforeEach(() => mock.timers.enable({ apis: ['Date'], now: START }));
afterEach(() => mock.timers.reset());

const wait = (/** @type {number} */ step) => mock.timers.setTime(Date.now() + (step % 12 === 11 ? 20 : 1) * MINUTE);
const MAX = { maxTurns: 100 };

describe('palimpsest/openai-agents: modelInputFilter', () => {
  test('ADAPTERS 1 outdated results are removed in batches and never sent in full again, and every request is valid', async () => {
    const { agent, inputs, problems } = scripted('one', { steps: 60, wait });
    const runner = runnerWith({ callModelInputFilter: modelInputFilter(OURS) });
    const { finalOutput } = await runner.run(agent, 'Find the mistake.', MAX);
    assert.equal(finalOutput, 'Done.');
    assert.deepEqual(problems, []);
    const changes = prefixChanges(inputs);
    assert.ok(changes > 0 && changes <= 6, `${changes} changes of ${inputs.length} requests`);
    for (let at = 1; at < inputs.length; at++) {
      const now = new Set(replacedIn(inputs[at]));
      for (const id of replacedIn(inputs[at - 1])) assert.ok(now.has(id), `${id} was sent in full again`);
    }
    assert.ok(replacedIn(inputs[60]).length >= 60);
  });

  test('R10.7 the ledger has the cost of the requests and of the unmodified history', async () => {
    const ours = modelInputFilter(REMOVE_AT_ONCE);
    const { agent, inputs } = scripted('one', { steps: 20, wait });
    await runnerWith({ callModelInputFilter: ours }).run(agent, 'Find the mistake.', MAX);
    const { requests, cost, costLeftAlone } = ours.ledger();
    assert.equal(requests, inputs.length);
    assert.ok(cost > 0 && cost < costLeftAlone);
  });

  test('ADAPTERS 2 and 3 concurrent runs with the same task and call ids are each sent what they are sent alone', async () => {
    const alone = [];
    for (const name of ['left', 'right']) {
      mock.timers.setTime(START);
      const { agent, inputs } = scripted(name, { wait });
      const runner = runnerWith({
        callModelInputFilter: modelInputFilter(REMOVE_AT_ONCE),
      });
      await runner.run(agent, 'Find the mistake.', MAX);
      alone.push(inputs);
    }
    // The clock goes on with the slower of the two.
    mock.timers.setTime(START);
    let behind = 0;
    const both = (/** @type {number} */ step) => {
      if (++behind % 2 === 0) wait(step);
    };
    const [left, right] = [scripted('left', { wait: both }), scripted('right', { wait: both })];
    const runner = runnerWith({
      callModelInputFilter: modelInputFilter(REMOVE_AT_ONCE),
    });
    await Promise.all([left, right].map(({ agent }) => runner.run(agent, 'Find the mistake.', MAX)));
    assert.ok(replacedIn(left.inputs.at(-1)).length > 0);
    assert.deepEqual([...left.problems, ...right.problems], []);
    for (const [at, { inputs }] of [left, right].entries()) {
      assert.deepEqual(replacedIn(inputs.at(-1)), replacedIn(alone[at]?.at(-1)));
      assert.deepEqual(inputs.at(-1), alone[at]?.at(-1));
    }
  });

  test('ADAPTERS 3 the memory of forgotten conversations is freed', async () => {
    const filter = modelInputFilter({ maxViews: 4 });
    const one = async (/** @type {string} */ name) => {
      /** @type {any[]} */
      const input = [
        userMessage(name),
        ...turn(name, 0),
        { ...turn(name, 1)[3], callId: 'call_0', output: name.repeat(60_000) },
      ];
      await filter({ modelData: { input }, agent: /** @type {any} */ (undefined), context: undefined });
    };
    for (let at = 0; at < 10; at++) await one(`warm ${at}`);
    const before = await heapAfterCollection();
    for (let at = 0; at < 100; at++) await one(`work ${at}`);
    const growth = (await heapAfterCollection()) - before;
    assert.ok(growth < 6 * 2 ** 20, `${growth} bytes more`);
  });

  test('R13.4 a run that is started again after a failed request sends the same bytes', async () => {
    let fails = 0;
    const { agent, inputs, problems } = scripted('one', {
      wait: (step) => {
        wait(step);
        if (step === 20 && fails++ === 0) throw new Error('overloaded');
      },
    });
    const runner = runnerWith({ callModelInputFilter: modelInputFilter(OURS) });
    const first = runner.run(agent, 'Find the mistake.', MAX);
    await assert.rejects(first, /overloaded/);
    const history = [userMessage('Find the mistake.')];
    for (let step = 0; step < 20; step++) history.push(...turn('one', step));
    const sent = inputs.at(-1);
    await runner.run(agent, history, MAX);
    assert.deepEqual(inputs[21], sent);
    assert.ok(replacedIn(inputs[21]).length > 0);
    assert.deepEqual(problems, []);
  });

  test('R13.4 a streamed run sends the same requests, and an aborted run does not change the next one', async () => {
    const plain = scripted('one', { wait });
    const filter = () => runnerWith({ callModelInputFilter: modelInputFilter(OURS) });
    await filter().run(plain.agent, 'Find the mistake.', MAX);
    mock.timers.setTime(START);
    const streamed = scripted('one', { wait });
    const runner = filter();
    const result = await runner.run(streamed.agent, 'Find the mistake.', { ...MAX, stream: true });
    await result.completed;
    assert.deepEqual(streamed.inputs, plain.inputs);
    const aborting = new AbortController();
    const other = scripted('two', { wait: (step) => step === 3 && aborting.abort() });
    const cut = await runner.run(other.agent, 'Find it.', { ...MAX, stream: true, signal: aborting.signal });
    await cut.completed.catch(() => {});
    const again = scripted('two', { steps: 2 });
    await runner.run(again.agent, 'Find it.', MAX);
    assert.deepEqual(again.inputs[0], other.inputs[0]);
    assert.deepEqual(again.problems, []);
  });

  test('ADAPTERS 5 an unanswered call gets a result with the status `incomplete`, and all other items stay', async () => {
    const { agent, inputs, problems } = scripted('one', { steps: 0 });
    const runner = runnerWith({ callModelInputFilter: modelInputFilter() });
    const input = [userMessage('Go.'), ...turn('one', 0).slice(0, 4), userMessage('Go on.')];
    await runner.run(agent, input);
    assert.deepEqual(problems, []);
    const items = inputs[0];
    assert.deepEqual(items?.slice(0, 4), input.slice(0, 4));
    assert.deepEqual(
      items?.find(({ type, callId }) => type === 'function_call_result' && callId === 'call_0'),
      input[4],
    );
    assert.ok(
      items?.some(
        (item) =>
          (item.callId === 'call_0' && item.output === /** @type {any} */ (input[4])?.output) ||
          item.callId === 'call_0',
      ),
    );
    assert.equal(items?.filter(({ type }) => type === 'function_call_result').length, 2);
    assert.equal(
      items?.find(({ type, callId }) => type === 'function_call_result' && callId === 'call_1').status,
      'incomplete',
    );
  });

  test('ADAPTERS 6 hosted tool calls and the calls in progress are sent unchanged', async () => {
    const filter = modelInputFilter();
    /** @type {any[]} */
    const input = [
      userMessage('Search.'),
      { type: 'hosted_tool_call', id: 'ws_1', name: 'web_search_call', status: 'completed', output: 'x'.repeat(9000) },
      ...outputOf('one', 0),
    ];
    const before = structuredClone(input);
    const { input: sent } = await filter({
      modelData: { input },
      agent: /** @type {any} */ (undefined),
      context: undefined,
    });
    assert.deepEqual(sent, before);
  });

  test('ADAPTERS 7 to 10 errors stay, several parts are replaced as a whole, only outputs change, and reasoning stays before its call', async () => {
    const filter = modelInputFilter(OURS);
    const sending = async (/** @type {any[]} */ input) => {
      const modelData = { input, instructions: 'You are an agent.' };
      const given = await filter({ modelData, agent: /** @type {any} */ (undefined), context: undefined });
      assert.equal(given.instructions, modelData.instructions);
      return /** @type {any[]} */ (given.input);
    };
    /** @type {any[]} */
    const input = [userMessage('Find the mistake.')];
    for (let step = 0; step < 30; step++) {
      const items = /** @type {any[]} */ (turn('one', step));
      if (step === 1) items[4].status = 'incomplete';
      const text = { type: 'input_text', text: items[4].output.text };
      if (step === 2)
        items[4].output = [text, { type: 'input_image', image: `data:image/png;base64,${'A'.repeat(9000)}` }];
      if (step === 3) items[4].providerData = { cache_control: { type: 'ephemeral' } };
      input.push(...items);
    }
    const before = structuredClone(input);
    await sending(input.slice(0, -turn('one', 29).length));
    mock.timers.setTime(START + 60 * MINUTE);
    const sent = await sending(input);
    assert.deepEqual(input, before);
    const replaced = new Set(replacedIn(sent));
    assert.ok(!replaced.has('call_3') && replaced.has('call_5') && replaced.has('call_7'));
    const without = (/** @type {any} */ _key, /** @type {any} */ value) =>
      value?.type === 'function_call_result' ? { ...value, output: '' } : value;
    assert.equal(JSON.stringify(sent, without), JSON.stringify(input, without));
    for (const [at, item] of sent.entries()) {
      if (item.type === 'reasoning') assert.equal(sent[at + 1].type, 'function_call');
      if (item.type !== 'function_call_result' || !replaced.has(item.callId)) assert.equal(item, input[at]);
    }
  });

  test('ADAPTERS 11 with a conversationId, where the provider keeps the history, the new items are sent unchanged', async () => {
    const { agent, inputs } = scripted('one', { steps: 3 });
    const runner = runnerWith({ callModelInputFilter: modelInputFilter() });
    await runner.run(agent, 'Find the mistake.', { conversationId: 'conv_1' });
    assert.deepEqual(
      inputs.map((input) => input.map(({ type, role }) => type ?? role)),
      [['message'], ...Array.from({ length: 3 }, () => ['function_call_result', 'function_call_result'])],
    );
    assert.ok(inputs[3]?.every(({ output }) => JSON.stringify(output).length > 200));
  });

  test('ADAPTERS 12 a result without a time ages from the first request that contains it', async () => {
    const filter = modelInputFilter(REMOVE_AT_ONCE);
    /** @type {any[]} */
    const input = [userMessage('Find the mistake.')];
    let step = 0;
    const commands = async (/** @type {number} */ minutes) => {
      input.push(...turn('one', step++));
      mock.timers.setTime(START + minutes * MINUTE);
      const sent = await filter({ modelData: { input }, agent: /** @type {any} */ (undefined), context: undefined });
      return replacedIn(sent.input).filter((id) => Number(id.slice(5)) % 2 === 1).length;
    };
    for (let at = 0; at < 12; at++) assert.equal(await commands(0), 0);
    assert.equal(await commands(14), 0);
    assert.ok((await commands(16)) >= 7);
  });

  test('R0.1 a session stores the original results, not their placeholders', async () => {
    const session = new MemorySession({ sessionId: 'one' });
    const filter = modelInputFilter(OURS);
    const { agent, inputs } = scripted('one', { wait });
    const runner = runnerWith({ callModelInputFilter: filter });
    await runner.run(agent, 'Find the mistake.', { ...MAX, session });
    const expected = scripted('one', { wait });
    const other = new MemorySession({ sessionId: 'two' });
    await runnerWith({}).run(expected.agent, 'Find the mistake.', { ...MAX, session: other });
    assert.ok(replacedIn(inputs.at(-1)).length > 0);
    assert.deepEqual(await session.getItems(), await other.getItems());
    // And with what came before, read out of the session again.
    mock.timers.setTime(Date.now() + 60 * MINUTE);
    const next = scripted('one', { steps: 0 });
    await runner.run(next.agent, 'And now?', { session });
    assert.ok(replacedIn(next.inputs[0]).length >= 40);
    const items = /** @type {any[]} */ (await session.getItems());
    assert.deepEqual(items.slice(0, -2), await other.getItems());
    assert.equal(items.at(-2).content, 'And now?');
    assert.deepEqual(items.at(-1), finalMessage);
  });

  test('R0.1 the error result of an unanswered call is sent, and not stored in the session', async () => {
    const stored = [userMessage('Go.'), ...turn('one', 0).slice(0, 4)];
    const session = new MemorySession({ sessionId: 'one', initialItems: stored });
    const { agent, problems } = scripted('one', { steps: 0 });
    await runnerWith({ callModelInputFilter: modelInputFilter() }).run(agent, 'Go on.', { session });
    assert.deepEqual(problems, []);
    const items = /** @type {any[]} */ (await session.getItems());
    assert.deepEqual(items.slice(0, stored.length), stored);
    assert.deepEqual(
      items.slice(stored.length).map(({ role }) => role),
      ['user', 'assistant'],
    );
  });
});

describe('palimpsest/openai-agents: usage', () => {
  const reported = (/** @type {number} */ cached) => () => ({
    inputTokens: 100_000,
    outputTokens: 5,
    inputTokensDetails: { cached_tokens: cached },
  });
  /** The bill of a run. @param {number} cached tokens of each request @param {boolean} isAgent @param {object} [options] */
  const billOf = async (cached, isAgent, options = {}) => {
    mock.timers.setTime(START);
    const minute = () => mock.timers.setTime(Date.now() + MINUTE);
    const { agent, inputs } = scripted('one', { report: reported(cached), wait: minute });
    const filter = modelInputFilter(OURS);
    const runner = runnerWith({ callModelInputFilter: filter });
    const stop = filter.observe(isAgent ? agent : runner);
    const result = await runner.run(agent, 'Find the mistake.', { ...MAX, ...options });
    if ('completed' in result) await result.completed;
    stop();
    return { requests: inputs.length, cost: filter.ledger().cost };
  };

  test('R10.6 observe(runner) and observe(agent) correct the ledger by the reported usage', async () => {
    for (const isAgent of [false, true]) {
      const [warm, cold] = [await billOf(90_000, isAgent), await billOf(0, isAgent)];
      assert.equal(cold.cost, cold.requests * 1.25 * 100_000);
      assert.equal(warm.cost, warm.requests * (1.25 * 10_000 + 0.1 * 90_000));
    }
  });

  test('R10.6 the usage of a streamed run and of a run with a session corrects the ledger', async () => {
    for (const options of [{ stream: true }, { session: new MemorySession() }]) {
      const { requests, cost } = await billOf(0, false, options);
      assert.equal(cost, requests * 1.25 * 100_000);
    }
  });

  test('R0.3 observe and modelInputFilter throw for invalid arguments', () => {
    const filter = modelInputFilter();
    assert.throws(() => filter.observe(/** @type {any} */ ({})), { code: 'ERR_INVALID_ARG_TYPE' });
    assert.throws(() => modelInputFilter(/** @type {any} */ ('fast')), { code: 'ERR_INVALID_ARG_TYPE' });
    assert.throws(() => modelInputFilter(/** @type {any} */ ({ price: 'cheap' })), { code: 'ERR_OUT_OF_RANGE' });
  });
});
