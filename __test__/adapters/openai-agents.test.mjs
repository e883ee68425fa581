// @ts-check
/** `modelInputFilter` of `palimpsest/openai-agents` in runs of the Agents SDK, with a model that validates its input. */
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
import {
  assertLedger,
  assertNeverRestored,
  heapGrowth,
  prefixChanges,
  REMOVE_AT_ONCE,
} from '../support/adapters/tool-loop.mjs';

const MINUTE = 60_000;
const START = Date.UTC(2026, 9, 1);
/** The price list with the shortest cache lifetime. */
const OPTIONS = /** @type {const} */ ({ ...REMOVE_AT_ONCE, price: 'anthropic' });

beforeEach(() => mock.timers.enable({ apis: ['Date'], now: START }));
afterEach(() => mock.timers.reset());

/** A minute for each step, and 20 after every twelfth. @param {number} step */
const wait = (step) => mock.timers.setTime(Date.now() + (step % 12 === 11 ? 20 : 1) * MINUTE);
const LONG = { maxTurns: 100 };

/** The items that the filter passes to the model. @param {import('@openai/agents').CallModelInputFilter} filter @param {any[]} input @returns {Promise<any[]>} */
async function sentBy(filter, input) {
  const modelData = { input, instructions: 'You are an agent.' };
  const sent = await filter({ modelData, agent: /** @type {any} */ (undefined), context: undefined });
  assert.equal(sent.instructions, modelData.instructions);
  return sent.input;
}

describe('palimpsest/openai-agents: modelInputFilter', () => {
  test('ADAPTERS 1 outdated results are removed in batches and never sent in full again, and every request is valid', async () => {
    const { agent, inputs, problems } = scripted('one', { steps: 60, wait });
    const runner = runnerWith({ callModelInputFilter: modelInputFilter(OPTIONS) });
    const { finalOutput } = await runner.run(agent, 'Find the mistake.', LONG);
    assert.equal(finalOutput, 'Done.');
    assert.deepEqual(problems, []);
    const changes = prefixChanges(inputs);
    assert.ok(changes > 0 && changes <= 6, `${changes} changes of ${inputs.length} requests`);
    assertNeverRestored(inputs.map(replacedIn));
    assert.ok(replacedIn(inputs[60]).length >= 60);
  });

  test('R10.7 the ledger has the cost of the requests and of the unmodified history', async () => {
    const filter = modelInputFilter(REMOVE_AT_ONCE);
    const { agent, inputs } = scripted('one', { steps: 20, wait });
    await runnerWith({ callModelInputFilter: filter }).run(agent, 'Find the mistake.', LONG);
    assertLedger(filter.ledger(), inputs.length);
  });

  test('ADAPTERS 2 and 3 concurrent runs with the same task and call ids are each sent what they are sent alone', async () => {
    const alone = [];
    for (const name of ['left', 'right']) {
      mock.timers.setTime(START);
      const { agent, inputs } = scripted(name, { wait });
      const runner = runnerWith({ callModelInputFilter: modelInputFilter(REMOVE_AT_ONCE) });
      await runner.run(agent, 'Find the mistake.', LONG);
      alone.push(inputs);
    }
    // The clock advances after both runs have made their step.
    mock.timers.setTime(START);
    let responses = 0;
    const waitForBoth = (/** @type {number} */ step) => {
      if (++responses % 2 === 0) wait(step);
    };
    const [left, right] = [scripted('left', { wait: waitForBoth }), scripted('right', { wait: waitForBoth })];
    const runner = runnerWith({ callModelInputFilter: modelInputFilter(REMOVE_AT_ONCE) });
    await Promise.all([left, right].map(({ agent }) => runner.run(agent, 'Find the mistake.', LONG)));
    assert.ok(replacedIn(left.inputs.at(-1)).length > 0);
    assert.deepEqual([...left.problems, ...right.problems], []);
    for (const [at, { inputs }] of [left, right].entries()) {
      assert.deepEqual(replacedIn(inputs.at(-1)), replacedIn(alone[at]?.at(-1)));
      assert.deepEqual(inputs.at(-1), alone[at]?.at(-1));
    }
  });

  test('ADAPTERS 3 the memory of forgotten conversations is freed', async () => {
    const filter = modelInputFilter({ maxViews: 4 });
    const sendLargeConversation = async (/** @type {string} */ name) => {
      /** @type {any[]} */
      const input = [
        userMessage(name),
        ...turn(name, 0),
        { ...turn(name, 1)[3], callId: 'call_0', output: name.repeat(60_000) },
      ];
      await sentBy(filter, input);
    };
    const growth = await heapGrowth(sendLargeConversation, 100);
    assert.ok(growth < 6 * 2 ** 20, `${growth} bytes more`);
  });

  test('R13.4 a run that is started again after a failed request sends the same bytes', async () => {
    let failures = 0;
    const { agent, inputs, problems } = scripted('one', {
      wait: (step) => {
        wait(step);
        if (step === 20 && failures++ === 0) throw new Error('overloaded');
      },
    });
    const runner = runnerWith({ callModelInputFilter: modelInputFilter(OPTIONS) });
    await assert.rejects(runner.run(agent, 'Find the mistake.', LONG), /overloaded/);
    const history = [userMessage('Find the mistake.')];
    for (let step = 0; step < 20; step++) history.push(...turn('one', step));
    const failed = inputs.at(-1);
    await runner.run(agent, history, LONG);
    assert.deepEqual(inputs[21], failed);
    assert.ok(replacedIn(inputs[21]).length > 0);
    assert.deepEqual(problems, []);
  });

  test('R13.4 a streamed run sends the same requests, and an aborted run does not change the next one', async () => {
    const plain = scripted('one', { wait });
    const runnerWithFilter = () => runnerWith({ callModelInputFilter: modelInputFilter(OPTIONS) });
    await runnerWithFilter().run(plain.agent, 'Find the mistake.', LONG);
    mock.timers.setTime(START);
    const streamed = scripted('one', { wait });
    const runner = runnerWithFilter();
    const result = await runner.run(streamed.agent, 'Find the mistake.', { ...LONG, stream: true });
    await result.completed;
    assert.deepEqual(streamed.inputs, plain.inputs);
    const controller = new AbortController();
    const aborted = scripted('two', { wait: (step) => step === 3 && controller.abort() });
    const abortedRun = await runner.run(aborted.agent, 'Find it.', {
      ...LONG,
      stream: true,
      signal: controller.signal,
    });
    await abortedRun.completed.catch(() => {});
    const next = scripted('two', { steps: 2 });
    await runner.run(next.agent, 'Find it.', LONG);
    assert.deepEqual(next.inputs[0], aborted.inputs[0]);
    assert.deepEqual(next.problems, []);
  });

  test('ADAPTERS 5 an unanswered call gets a result with the status `incomplete`, and all other items stay', async () => {
    const { agent, inputs, problems } = scripted('one', { steps: 0 });
    const runner = runnerWith({ callModelInputFilter: modelInputFilter() });
    const input = [userMessage('Go.'), ...turn('one', 0).slice(0, 4), userMessage('Go on.')];
    await runner.run(agent, input);
    assert.deepEqual(problems, []);
    const items = inputs[0];
    assert.deepEqual(items?.slice(0, 4), input.slice(0, 4));
    const results = items?.filter(({ type }) => type === 'function_call_result') ?? [];
    assert.equal(results.length, 2);
    assert.deepEqual(
      results.find(({ callId }) => callId === 'call_0'),
      input[4],
    );
    assert.equal(results.find(({ callId }) => callId === 'call_1').status, 'incomplete');
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
    assert.deepEqual(await sentBy(filter, input), before);
  });

  test('ADAPTERS 7 to 10 errors stay, several parts are replaced as a whole, only outputs change, and reasoning stays before its call', async () => {
    const filter = modelInputFilter(OPTIONS);
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
    await sentBy(filter, input.slice(0, -turn('one', 29).length));
    mock.timers.setTime(START + 60 * MINUTE);
    const sent = await sentBy(filter, input);
    assert.deepEqual(input, before);
    const replaced = new Set(replacedIn(sent));
    assert.ok(!replaced.has('call_3') && replaced.has('call_5') && replaced.has('call_7'));
    const withoutOutputs = (/** @type {any} */ _key, /** @type {any} */ value) =>
      value?.type === 'function_call_result' ? { ...value, output: '' } : value;
    assert.equal(JSON.stringify(sent, withoutOutputs), JSON.stringify(input, withoutOutputs));
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
    const replacedCommands = async (/** @type {number} */ minutes) => {
      input.push(...turn('one', step++));
      mock.timers.setTime(START + minutes * MINUTE);
      return replacedIn(await sentBy(filter, input)).filter((id) => Number(id.slice(5)) % 2 === 1).length;
    };
    for (let at = 0; at < 12; at++) assert.equal(await replacedCommands(0), 0);
    assert.equal(await replacedCommands(14), 0);
    assert.ok((await replacedCommands(16)) >= 7);
  });

  test('R0.1 a session stores the original results, not their placeholders', async () => {
    const session = new MemorySession({ sessionId: 'one' });
    const filter = modelInputFilter(OPTIONS);
    const { agent, inputs } = scripted('one', { wait });
    const runner = runnerWith({ callModelInputFilter: filter });
    await runner.run(agent, 'Find the mistake.', { ...LONG, session });
    const plain = scripted('one', { wait });
    const plainSession = new MemorySession({ sessionId: 'two' });
    await runnerWith({}).run(plain.agent, 'Find the mistake.', { ...LONG, session: plainSession });
    assert.ok(replacedIn(inputs.at(-1)).length > 0);
    assert.deepEqual(await session.getItems(), await plainSession.getItems());
    // The next run loads these items from the session.
    mock.timers.setTime(Date.now() + 60 * MINUTE);
    const next = scripted('one', { steps: 0 });
    await runner.run(next.agent, 'And now?', { session });
    assert.ok(replacedIn(next.inputs[0]).length >= 40);
    const items = /** @type {any[]} */ (await session.getItems());
    assert.deepEqual(items.slice(0, -2), await plainSession.getItems());
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
  const reportOf = (/** @type {number} */ cached) => () => ({
    inputTokens: 100_000,
    outputTokens: 5,
    inputTokensDetails: { cached_tokens: cached },
  });
  /** Requests and the ledger's cost of a run. @param {number} cached tokens of each request @param {boolean} isAgentObserved @param {object} [options] */
  const costWith = async (cached, isAgentObserved, options = {}) => {
    mock.timers.setTime(START);
    const waitMinute = () => mock.timers.setTime(Date.now() + MINUTE);
    const { agent, inputs } = scripted('one', { report: reportOf(cached), wait: waitMinute });
    const filter = modelInputFilter(OPTIONS);
    const runner = runnerWith({ callModelInputFilter: filter });
    const stop = filter.observe(isAgentObserved ? agent : runner);
    const result = await runner.run(agent, 'Find the mistake.', { ...LONG, ...options });
    if ('completed' in result) await result.completed;
    stop();
    return { requests: inputs.length, cost: filter.ledger().cost };
  };

  test('R10.6 observe(runner) and observe(agent) correct the ledger by the reported usage', async () => {
    for (const isAgentObserved of [false, true]) {
      const [warm, cold] = [await costWith(90_000, isAgentObserved), await costWith(0, isAgentObserved)];
      assert.equal(cold.cost, cold.requests * 1.25 * 100_000);
      assert.equal(warm.cost, warm.requests * (1.25 * 10_000 + 0.1 * 90_000));
    }
  });

  test('R10.6 the usage of a streamed run and of a run with a session corrects the ledger', async () => {
    for (const options of [{ stream: true }, { session: new MemorySession() }]) {
      const { requests, cost } = await costWith(0, false, options);
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
