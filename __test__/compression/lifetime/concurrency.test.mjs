// @ts-check
/** Changes of the array, and other calls, during a `process` call. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import {
  configuration,
  exchange,
  expandHistory,
  managerWith,
  NOW,
  noticeIn,
  OVER,
  pendingModel,
  scripted,
  session,
  summary,
  summaryIn,
  unpaired,
} from '../../support/compression.mjs';

const MICROTASK_COUNTS = Array.from({ length: 12 }, (_, at) => at);

/** Calls `act` after `count` microtasks. @param {number} count @param {() => void} act */
async function afterMicrotasks(count, act) {
  for (let at = 0; at < count; at++) await null;
  act();
}

/**
 * A compression; while the summary is pending, `change` changes the array, of which `after` is then a deep copy.
 * @param {(messages: any[]) => void} change
 * @param {any[]} [messages]
 */
async function compressedDuring(change, messages = session()) {
  const { model, requested, release } = pendingModel();
  const fixture = managerWith({ model });
  const done = fixture.manager.process(messages, { now: NOW });
  await requested;
  change(messages);
  const after = structuredClone(messages);
  release();
  await done;
  return { ...fixture, messages, after };
}

/** @param {any} result of {@link compressedDuring} */
function assertDiscarded({ messages, after, manager, event }) {
  assert.deepEqual(messages, after, 'the summary was applied');
  assert.equal(manager.stats().discarded, 1);
  assert.equal(event('discarded').reason, 'range_changed');
}

describe('R7.9 changes of the array while no model is called', () => {
  it('R7.9 messages appended up to 11 microtasks after the call stay after the notice of a cut', async () => {
    for (const count of MICROTASK_COUNTS) {
      const messages = session(OVER);
      const newest = exchange(700);
      const { manager } = managerWith({ config: configuration({ autoCompressionSummaryModel: undefined }) });
      const done = manager.process(messages, { now: NOW });
      await afterMicrotasks(count, () => messages.push(...newest));
      await done;
      assert.ok(noticeIn(messages));
      assert.deepEqual(messages.slice(-2), newest, `after ${count} microtasks`);
    }
  });

  it('R7.9 messages appended after the archive has stored originals survive the following cut', async () => {
    for (const count of MICROTASK_COUNTS) {
      const messages = [...session(OVER), ...exchange(700, 5_000)];
      const newest = exchange(701);
      /** @type {Promise<void> | undefined} after the originals of the summary are stored, before those of the notice */
      let appended;
      const append = async () => {
        appended ??= afterMicrotasks(count, () => messages.push(...newest));
      };
      const archive = { append, messages: () => [] };
      const { manager, types } = managerWith({ options: { archive, sessionId: 's' } });
      await manager.process(messages, { now: NOW });
      await appended;
      assert.ok(types().includes('compressed') && types().includes('truncated'));
      assert.deepEqual(messages.slice(-2), newest, `after ${count} microtasks`);
    }
  });

  for (const [method, call] of /** @type {[string, (messages: any[], manager: any) => Promise<any>][]} */ ([
    ['process', (messages, manager) => manager.process(messages, { now: NOW })],
    ['compress', (messages, manager) => manager.compress(messages, { now: NOW })],
  ])) {
    it(`R7.9 messages removed right after the call of ${method} stay removed, and nothing fails`, async () => {
      // The unanswered call must stay as it is.
      const messages = [...session(), exchange(700)[0], ...session().slice(-8)];
      const { manager, types } = managerWith({ model: scripted(summary()) });
      const done = call(messages, manager);
      messages.length = 12;
      const remaining = structuredClone(messages);
      await done;
      assert.deepEqual(messages, remaining);
      assert.deepEqual(
        types().filter((type) => type === 'failed' || type === 'compressed'),
        [],
      );
    });
  }
});

describe('R7.9 changes of the array while the summary is pending', () => {
  it('R7.9 process changes nothing before the summary has arrived', async () => {
    await compressedDuring((messages) => assert.deepEqual(messages, session()));
  });

  it('R7.9 messages appended during the request stay in order after the summary', async () => {
    const { messages, after } = await compressedDuring((messages) => messages.push(...exchange(700), ...exchange(701)));
    assert.ok(summaryIn(messages));
    assert.deepEqual(messages.slice(-4), after.slice(-4));
    assert.equal(messages.length, 6 + 4);
    assert.deepEqual(expandHistory(messages), after);
  });

  it('R7.9 a system message inserted before the summarised range stays', async () => {
    const { messages, after } = await compressedDuring((messages) =>
      messages.splice(1, 0, { role: 'system', content: 'new rules' }),
    );
    assert.equal(messages[1].content, 'new rules');
    assert.ok(messages[2].isCompressed);
    assert.deepEqual(expandHistory(messages), after);
  });

  it("R7.9 a replaced system prompt doesn't prevent the summary", async () => {
    const { messages } = await compressedDuring((messages) => {
      messages[0] = { role: 'system', content: 'another prompt' };
    });
    assert.equal(messages[0].content, 'another prompt');
    assert.ok(messages[1].isCompressed);
  });

  it('R7.9 the summary is applied after the newest messages were replaced', async () => {
    const { messages, after } = await compressedDuring((messages) => {
      messages.splice(-2, 2, ...exchange(800));
    });
    assert.ok(summaryIn(messages));
    assert.deepEqual(expandHistory(messages), after);
  });

  /** @type {[string, (messages: any[]) => void][]} */
  const changes = [
    [
      'a message of the range is replaced',
      (messages) => {
        messages[5] = { ...messages[5], content: 'corrected' };
      },
    ],
    [
      'a message of the range is edited in place',
      (messages) => {
        messages[5].content = 'corrected';
      },
    ],
    [
      'the arguments of a call are edited in place',
      (messages) => {
        messages[4].tool_calls[0].function.arguments = '{}';
      },
    ],
    [
      'the id of a call is edited in place',
      (messages) => {
        messages[4].tool_calls[0].id = 'another';
      },
    ],
    ['a message is inserted in the range', (messages) => messages.splice(5, 0, { role: 'user', content: 'wait' })],
    ['a message of the range is removed', (messages) => messages.splice(6, 2)],
    [
      'two messages of the range are swapped',
      (messages) => {
        [messages[4], messages[6]] = [messages[6], messages[4]];
      },
    ],
    [
      'the session is rewound into the range',
      (messages) => {
        messages.length = 12;
      },
    ],
    [
      'the array is emptied',
      (messages) => {
        messages.length = 0;
      },
    ],
    ['another session is loaded into the array', (messages) => messages.splice(0, messages.length, ...session())],
  ];
  for (const [name, change] of changes) {
    it(`R7.9 if ${name}, the summary is discarded and nothing else changes`, async () =>
      assertDiscarded(await compressedDuring(change)));
  }

  it('R7.9 a call in the range and its result, appended during the request, stay together', async () => {
    const messages = session();
    // The application stores the result of a slow call after later messages.
    const [call, result] = exchange(900);
    messages.splice(9, 0, call);
    await compressedDuring(() => messages.push(result), messages);
    assert.deepEqual(unpaired(messages), []);
    assert.ok(messages.includes(call) === messages.includes(result));
  });

  it('R7.9 after a discarded summary the next process call requests another one', async () => {
    const { manager, messages, calls } = await compressedDuring((all) =>
      all.splice(5, 0, { role: 'user', content: 'wait' }),
    );
    await manager.process(messages, { now: NOW + 1 });
    assert.equal(calls.length, 2);
    assert.ok(summaryIn(messages));
  });

  it('R7.11 after a discarded summary history above the hard limit is cut', async () => {
    const { messages } = await compressedDuring((all) => {
      all[5] = { ...all[5] };
    }, session(OVER));
    assert.ok(noticeIn(messages));
  });
});

describe('R7.9 simultaneous calls', () => {
  it('EDGE 4 R7.9 five process calls for one array make one request for a summary', async () => {
    const { model, requested, release, calls } = pendingModel();
    const { manager } = managerWith({ model });
    const messages = session();
    const all = Array.from({ length: 5 }, () => manager.process(messages, { now: NOW }));
    await requested;
    release();
    await Promise.all(all);
    assert.equal(calls.length, 1);
    assert.equal(manager.stats().compressed, 1);
    assert.equal(messages.filter(({ isCompressed }) => isCompressed).length, 1);
  });

  it('R7.9 process calls of two managers for one array make one request for a summary', async () => {
    const { model, requested, release, calls } = pendingModel();
    const second = managerWith();
    const messages = session();
    const both = [managerWith({ model }).manager.process(messages), second.manager.process(messages)];
    await requested;
    release();
    await Promise.all(both);
    assert.equal(calls.length + second.calls.length, 1);
    assert.equal(messages.filter(({ isCompressed }) => isCompressed).length, 1);
  });

  it('R7.9 one manager compresses two arrays at the same time', async () => {
    const { model, release, calls } = pendingModel();
    const { manager } = managerWith({ model });
    const arrays = [session(), session(undefined, { task: 'another task' })];
    const both = arrays.map((messages) => manager.process(messages));
    while (calls.length < 2) await nextTick();
    release();
    await Promise.all(both);
    assert.ok(arrays.every(summaryIn));
  });

  it('R7.9 two managers compress two arrays of the same message objects independently', async () => {
    const stored = session();
    const arrays = [[...stored], [...stored]];
    await Promise.all(arrays.map((messages) => managerWith().manager.process(messages, { now: NOW })));
    for (const messages of arrays) assert.deepEqual(expandHistory(messages), stored);
  });

  it('R7.12 compress waits for a pending process call and then runs on its result', async () => {
    const { model, requested, release } = pendingModel();
    const { manager } = managerWith({ model });
    const messages = session();
    const before = [...messages];
    const automatic = manager.process(messages, { now: NOW });
    await requested;
    const byHand = manager.compress(messages, { summary: summary('by hand'), now: NOW + 1 });
    release();
    await automatic;
    const result = await byHand;
    // Only the new summary is left between the system prompt and the newest messages.
    assert.deepEqual([result.compressed, result.reason], [false, 'only_earlier_summary']);
    assert.deepEqual(expandHistory(messages), before);
  });
});
