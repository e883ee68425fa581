// @ts-check
/** What the host does while the model writes. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import {
  configuration,
  exchange,
  expandHistory,
  managerWith,
  NOW,
  noticeIn,
  OVER,
  scripted,
  session,
  summary,
  summaryIn,
  unpaired,
  waiting,
} from '../../support/compression.mjs';

const MOMENTS = Array.from({ length: 12 }, (_, at) => at);

/** @param {number} moments microtasks @param {() => void} act */
async function after(moments, act) {
  for (let at = 0; at < moments; at++) await null;
  act();
}

/** A compression during which `meanwhile` happens. @param {(messages: any[]) => void} meanwhile @param {any[]} [messages] */
async function during(meanwhile, messages = session()) {
  const { model, asked, release } = waiting();
  const made = managerWith({ model });
  const before = [...messages];
  const done = made.manager.process(messages, { now: NOW });
  await asked;
  meanwhile(messages);
  const after = structuredClone(messages);
  release();
  await done;
  return { ...made, messages, before, after };
}

/** @param {any} made @param {string} reason */
function isDiscarded({ messages, after, manager, event }, reason = 'range_changed') {
  assert.deepEqual(messages, after, 'nothing was applied');
  assert.equal(manager.stats().discarded, 1);
  assert.equal(event('discarded').reason, reason);
}

describe('R7.9 the host goes on without waiting for the call', () => {
  it('R7.9 what is appended is kept behind the notice, whichever moment it comes at', async () => {
    for (const moment of MOMENTS) {
      const messages = session(OVER);
      const newest = exchange(700);
      const { manager } = managerWith({ config: configuration({ autoCompressionSummaryModel: undefined }) });
      const done = manager.process(messages, { now: NOW });
      await after(moment, () => messages.push(...newest));
      await done;
      assert.ok(noticeIn(messages));
      assert.deepEqual(messages.slice(-2), newest, `after ${moment} microtasks`);
    }
  });

  it('R7.9 what is appended is kept through the cut behind an archive that has just stored', async () => {
    for (const moment of MOMENTS) {
      const messages = [...session(OVER), ...exchange(700, 5_000)];
      const newest = exchange(701);
      /** @type {Promise<void> | undefined} behind the summary's originals, not the notice's */
      let appended;
      const append = async () => {
        appended ??= after(moment, () => messages.push(...newest));
      };
      const archive = { append, messages: () => [] };
      const { manager, types } = managerWith({ options: { archive, sessionId: 's' } });
      await manager.process(messages, { now: NOW });
      await appended;
      assert.ok(types().includes('compressed') && types().includes('truncated'));
      assert.deepEqual(messages.slice(-2), newest, `after ${moment} microtasks`);
    }
  });

  for (const [how, calls] of /** @type {[string, (messages: any[], manager: any) => Promise<any>][]} */ ([
    ['by itself', (messages, manager) => manager.process(messages, { now: NOW })],
    ['by hand', (messages, manager) => manager.compress(messages, { now: NOW })],
  ])) {
    it(`R7.9 what is taken back right behind the call stays away, and nothing fails: ${how}`, async () => {
      // The call that is in flight must stay as it is.
      const messages = [...session(), exchange(700)[0], ...session().slice(-8)];
      const { manager, types } = managerWith({ model: scripted(summary()) });
      const done = calls(messages, manager);
      messages.length = 12;
      const left = structuredClone(messages);
      await done;
      assert.deepEqual(messages, left);
      assert.deepEqual(
        types().filter((type) => type === 'failed' || type === 'compressed'),
        [],
      );
    });
  }
});

describe('R7.9 the host goes on while the model writes', () => {
  it('R7.9 nothing changes before the summary is there', async () => {
    await during((messages) => assert.deepEqual(messages, session()));
  });

  it('R7.9 what is appended is kept, in its order, behind the summary', async () => {
    const { messages, after } = await during((messages) => messages.push(...exchange(700), ...exchange(701)));
    assert.ok(summaryIn(messages));
    assert.deepEqual(messages.slice(-4), after.slice(-4));
    assert.equal(messages.length, 6 + 4);
    assert.deepEqual(expandHistory(messages), after);
  });

  it('R7.9 what is inserted in front of the range is kept', async () => {
    const { messages, after } = await during((messages) =>
      messages.splice(1, 0, { role: 'system', content: 'new rules' }),
    );
    assert.equal(messages[1].content, 'new rules');
    assert.ok(messages[2].isCompressed);
    assert.deepEqual(expandHistory(messages), after);
  });

  it('R7.9 a new system prompt does not stop the summary', async () => {
    const { messages } = await during((messages) => {
      messages[0] = { role: 'system', content: 'another prompt' };
    });
    assert.equal(messages[0].content, 'another prompt');
    assert.ok(messages[1].isCompressed);
  });

  it('R7.9 the newest messages may be replaced or taken back', async () => {
    const { messages, after } = await during((messages) => {
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
      'two of them change places',
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
    it(`R7.9 when ${name}, nothing is applied`, async () => isDiscarded(await during(change)));
  }

  it('R7.9 when a call in the range is answered late, both stay', async () => {
    const messages = session();
    // A host that notes the answer of a slow call behind later messages.
    const [call, result] = exchange(900);
    messages.splice(9, 0, call);
    const made = await during((all) => all.push(result), messages);
    assert.deepEqual(unpaired(made.messages), []);
    assert.ok(made.messages.includes(call) === made.messages.includes(result));
  });

  it('R7.9 after a discarded summary the next call tries again', async () => {
    const { manager, messages, calls } = await during((all) => all.splice(5, 0, { role: 'user', content: 'wait' }));
    await manager.process(messages, { now: NOW + 1 });
    assert.equal(calls.length, 2);
    assert.ok(summaryIn(messages));
  });

  it('R7.11 a discarded summary does not keep the hard limit from being enforced', async () => {
    const { messages } = await during((all) => {
      all[5] = { ...all[5] };
    }, session(OVER));
    assert.ok(noticeIn(messages));
  });
});

describe('R7.9 two calls on one array', () => {
  it('R7.9 become one: one question, and both resolve when it is done', async () => {
    const { model, asked, release, calls } = waiting();
    const { manager } = managerWith({ model });
    const messages = session();
    const both = [manager.process(messages, { now: NOW }), manager.process(messages, { now: NOW })];
    await asked;
    release();
    await Promise.all(both);
    assert.equal(calls.length, 1);
    assert.equal(messages.filter(({ isCompressed }) => isCompressed).length, 1);
  });

  it('R7.9 become one as well when they come to two managers', async () => {
    const { model, asked, release, calls } = waiting();
    const second = managerWith();
    const messages = session();
    const both = [managerWith({ model }).manager.process(messages), second.manager.process(messages)];
    await asked;
    release();
    await Promise.all(both);
    assert.equal(calls.length + second.calls.length, 1);
    assert.equal(messages.filter(({ isCompressed }) => isCompressed).length, 1);
  });

  it('R7.9 two arrays are two compressions, side by side', async () => {
    const { model, release, calls } = waiting();
    const { manager } = managerWith({ model });
    const arrays = [session(), session(undefined, { task: 'another task' })];
    const both = arrays.map((messages) => manager.process(messages));
    while (calls.length < 2) await turn();
    release();
    await Promise.all(both);
    assert.ok(arrays.every(summaryIn));
  });

  it('R7.9 two managers of two arrays with the same messages do not disturb each other', async () => {
    const stored = session();
    const arrays = [[...stored], [...stored]];
    await Promise.all(arrays.map((messages) => managerWith().manager.process(messages, { now: NOW })));
    for (const messages of arrays) assert.deepEqual(expandHistory(messages), stored);
  });

  it('R7.12 compress waits for what is under way, then does what is wished for', async () => {
    const { model, asked, release } = waiting();
    const { manager } = managerWith({ model });
    const messages = session();
    const before = [...messages];
    const automatic = manager.process(messages, { now: NOW });
    await asked;
    const byHand = manager.compress(messages, { summary: summary('by hand'), now: NOW + 1 });
    release();
    await automatic;
    const result = await byHand;
    // Nothing is left between but the summary that has just been written.
    assert.deepEqual([result.compressed, result.reason], [false, 'only_earlier_summary']);
    assert.deepEqual(expandHistory(messages), before);
  });
});
