// @ts-check
/** `middleware` and `prepareStep` of `palimpsest/ai-sdk`: which results of a run are replaced, and how. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { middleware, prepareStep } from 'palimpsest/ai-sdk';
import { REMOVE_AT_ONCE } from '../support/adapters/tool-loop.mjs';
import { call, frozen, outputs, read, reads, result, sentBy, user } from '../support/ai-sdk.mjs';
import { problemsIn } from '../support/providers/ai-sdk.mjs';

const PLACEHOLDER = '[Earlier read of this file removed: see its latest read]';

const finalMessage = () => ({ role: 'assistant', content: [{ type: 'text', text: 'Done.' }] });

/** @param {readonly any[]} messages @returns {Promise<any[]>} */
async function sentByPrepareStep(messages) {
  const prepared = await prepareStep(REMOVE_AT_ONCE)(/** @type {any} */ ({ messages, steps: [], stepNumber: 0 }));
  return /** @type {any} */ (prepared).messages;
}

describe('palimpsest/ai-sdk: results', () => {
  test('R0.1 the messages of the run are unchanged, and messages without an outdated result are passed by reference', async () => {
    const prompt = frozen(reads(7));
    const sent = await sentBy(middleware(REMOVE_AT_ONCE), prompt);
    assert.deepEqual(outputs(sent).slice(0, 2), [PLACEHOLDER, PLACEHOLDER]);
    assert.equal(outputs(prompt).filter((text) => text === PLACEHOLDER).length, 0);
    assert.equal(sent[1], prompt[1]);
    const withoutOutdated = frozen(reads(2));
    assert.ok(
      (await sentBy(middleware(REMOVE_AT_ONCE), withoutOutdated)).every(
        (message, at) => message === withoutOutdated[at],
      ),
    );
  });

  test('ADAPTERS 1 with the price of a prompt cache, results are removed in batches, not at each step', async () => {
    const adapter = middleware({ price: 'anthropic', outdatedBy: 'age', arrivalTimes: true });
    const longTask = 'All of this is to be done, in this order. '.repeat(500);
    let changes = 0;
    /** @type {string[]} */ let previous = [];
    for (let count = 1; count <= 60; count++) {
      const sent = (await sentBy(adapter, reads(count, longTask))).map((message) => JSON.stringify(message));
      if (previous.some((message, at) => message !== sent[at])) changes++;
      previous = sent;
    }
    assert.ok(changes >= 2 && changes <= 20, `${changes} changes`);
  });

  test('ADAPTERS 2 a new result is not removed because another conversation has used its call id', async () => {
    const adapter = middleware(REMOVE_AT_ONCE);
    await sentBy(adapter, reads(7, 'The first.'));
    const second = await sentBy(adapter, reads(2, 'The second.'));
    assert.ok(outputs(second).every((text) => text !== PLACEHOLDER));
    const first = await sentBy(adapter, reads(8, 'The first.'));
    assert.equal(outputs(first).filter((text) => text === PLACEHOLDER).length, 3);
  });

  test('ADAPTERS 4 prepareStep summarises nothing twice when it gets its own messages back or is called twice for a step', async () => {
    let summaries = 0;
    const config = { maxContextTokens: 3000, autoCompressionSummaryModel: 's', autoCompressionThreshold: 0.6 };
    const llmClient = async () => `## Goal\nTo read.\n## Done\nSummary ${++summaries}.`;
    const options = { ...REMOVE_AT_ONCE, fileReads: false, compression: { config, llmClient } };
    /** @param {boolean} isPersisted true as in version 7: a step starts from what `prepareStep` returned @param {number} callsPerStep */
    const run = async (isPersisted, callsPerStep) => {
      summaries = 0;
      const adapter = prepareStep(/** @type {any} */ (options));
      /** @type {any[]} */ const steps = [];
      let messages = reads(0).slice(1);
      const sent = [];
      for (let step = 0; step < 20; step++) {
        let prepared;
        for (let nth = 0; nth < callsPerStep; nth++) prepared = await adapter(/** @type {any} */ ({ messages, steps }));
        const returned = /** @type {any} */ (prepared).messages;
        sent.push(JSON.stringify(returned));
        messages = [...(isPersisted ? returned : messages), ...read(`call_${step}`)];
        steps.push({});
      }
      return { sent, summaries };
    };
    const expected = await run(false, 1);
    assert.ok(expected.summaries > 1 && expected.summaries < 20);
    assert.deepEqual(await run(true, 1), expected);
    assert.deepEqual(await run(true, 2), expected);
  });

  test('ADAPTERS 5 an unanswered call gets an error result; its message and the results of its other calls stay', async () => {
    const content = [
      { type: 'text', text: 'Both.' },
      call('a', 'read_file', { path: 'a' }),
      call('b', 'run_command', {}),
    ];
    const messages = frozen([
      user('Go.'),
      { role: 'assistant', content },
      { role: 'tool', content: [result('a', 'read_file', 'all of a')] },
      user('And now?'),
    ]);
    assert.notDeepEqual(problemsIn(messages), []);
    for (const sent of [await sentByPrepareStep(messages), await sentBy(middleware(REMOVE_AT_ONCE), messages)]) {
      assert.deepEqual(problemsIn(sent), []);
      assert.equal(sent[1], messages[1]);
      const [real, added] = sent[2].content;
      assert.equal(real, /** @type {any} */ (messages[2]).content[0]);
      assert.deepEqual([added.toolCallId, added.toolName, added.output.type], ['b', 'run_command', 'error-text']);
    }
  });

  test('ADAPTERS 6 calls that await approval, that the provider runs, or that are in progress are not treated as orphans', async () => {
    const search = call('s', 'web_search', {}, { providerExecuted: true });
    const searchResult = result('s', 'web_search', { type: 'json', value: [{ title: 'Ports' }] });
    const approvalRequest = { type: 'tool-approval-request', approvalId: 'p', toolCallId: 'd' };
    const content = [search, searchResult, call('d', 'run_command', { command: 'rm -r build' }), approvalRequest];
    const messages = frozen([user('Go.'), { role: 'assistant', content }]);
    const sent = await sentByPrepareStep(messages);
    assert.deepEqual([sent.length, sent[1]], [2, messages[1]]);
    const inProgress = frozen([user('Go.'), { role: 'assistant', content: [call('x', 'run_command', {})] }]);
    assert.deepEqual(await sentByPrepareStep(inProgress), inProgress);
  });

  test('ADAPTERS 7 error outputs of each type and outputs of unknown type are never replaced', async () => {
    const failures = [
      { type: 'error-text', value: `No such file. ${'x'.repeat(400)}` },
      { type: 'error-json', value: { code: 'ENOENT', stack: 'x'.repeat(400) } },
      { type: 'execution-denied', reason: 'x'.repeat(400) },
      { type: 'holograph', value: 'x'.repeat(400) },
    ];
    const messages = [user('Go.'), ...failures.flatMap((output, at) => read(`f${at}`, output)), ...reads(7).slice(2)];
    const sent = await sentBy(middleware(REMOVE_AT_ONCE), frozen(messages));
    for (const at of [2, 4, 6, 8]) assert.equal(sent[at], messages[at]);
    assert.equal(outputs(sent).filter((text) => text === PLACEHOLDER).length, 2);
  });

  test('ADAPTERS 7 a JSON output with a nonzero exit code or with stderr is never replaced, however old it is', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: 1_700_000_000_000 });
    const command = (/** @type {string} */ id, /** @type {any} */ value) => [
      { role: 'assistant', content: [call(id, 'bash', { command: id })] },
      { role: 'tool', content: [result(id, 'bash', { type: 'json', value })] },
    ];
    const text = 'x'.repeat(400);
    const messages = [
      user('Go.'),
      ...command('a', { stdout: text, exitCode: 1 }),
      ...command('b', { stdout: text, stderr: 'not found', exitCode: 0 }),
      ...Array.from({ length: 6 }, (_, at) => command(`c${at}`, { stdout: text, exitCode: 0 })).flat(),
    ];
    const adapter = middleware(REMOVE_AT_ONCE);
    await sentBy(adapter, messages);
    t.mock.timers.tick(16 * 60_000);
    const sent = await sentBy(adapter, [...messages, finalMessage(), user('On.')]);
    const replacedAt = messages.flatMap((message, at) => (message === sent[at] ? [] : [at]));
    assert.deepEqual(replacedAt, [6]);
  });

  test('ADAPTERS 8 a result of text and an image is replaced as a whole, and one shorter than the placeholder stays', async () => {
    const image = { type: 'media', data: 'A'.repeat(4000), mediaType: 'image/png' };
    const parts = { type: 'content', value: [{ type: 'text', text: 'A drawing.' }, image] };
    const messages = [user('Go.'), ...read('i', parts), ...read('s', 'ok'), ...reads(6).slice(2)];
    const sent = await sentBy(middleware(REMOVE_AT_ONCE), frozen(messages));
    assert.deepEqual(sent[2].content[0].output, { type: 'text', value: PLACEHOLDER });
    assert.equal(sent[4], messages[4]);
  });

  test('ADAPTERS 9 a replaced result keeps ids, names and the provider options of its output, part and message', async () => {
    const breakpoint = { anthropic: { cacheControl: { type: 'ephemeral' } } };
    const output = { type: 'text', value: 'x'.repeat(400), providerOptions: breakpoint };
    const tool = {
      role: 'tool',
      content: [result('m', 'read_file', output, { providerOptions: breakpoint })],
      providerOptions: breakpoint,
    };
    const reasoning = { type: 'reasoning', text: 'Hm.', providerOptions: { anthropic: { signature: 'abc' } } };
    const assistant = { role: 'assistant', content: [reasoning, call('m', 'read_file', { path: 'src/a.js' })] };
    const messages = [user('Go.'), assistant, tool, ...reads(6).slice(2)];
    const sent = await sentBy(middleware(REMOVE_AT_ONCE), frozen(messages));
    assert.equal(sent[1], assistant);
    const expected = structuredClone(tool);
    expected.content[0].output.value = PLACEHOLDER;
    assert.deepEqual(sent[2], expected);
    assert.equal(sent[2].content[0].providerOptions, breakpoint);
  });

  test('ADAPTERS 12 a result without a time ages from the first request that contains it', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: 1_700_000_000_000 });
    const command = (/** @type {number} */ at) => [
      { role: 'assistant', content: [call(`r${at}`, 'bash', { command: 'make' })] },
      { role: 'tool', content: [result(`r${at}`, 'bash', 'built '.repeat(80))] },
    ];
    const messages = [user('Go.'), ...Array.from({ length: 8 }, (_, at) => command(at)).flat()];
    const adapter = middleware(REMOVE_AT_ONCE);
    const isPlaceholder = (/** @type {string} */ text) => text === '[Outdated command output removed]';
    t.mock.timers.tick(3_600_000);
    assert.equal(outputs(await sentBy(adapter, messages)).filter(isPlaceholder).length, 0);
    t.mock.timers.tick(16 * 60_000);
    assert.equal(
      outputs(await sentBy(adapter, [...messages, finalMessage(), user('On.')])).filter(isPlaceholder).length,
      3,
    );
  });
});
