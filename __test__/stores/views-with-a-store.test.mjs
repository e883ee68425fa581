// @ts-check
/** Conversations that any process goes on with: `ContextViews` with a store, one process or many, and stores that fail. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, mock, test } from 'node:test';
import { ContextViews, expandHistory } from 'palimpsest';
import { MemoryStore } from './memory-store.mjs';

const START = 1_780_000_000_000;
const CONFIG = {
  autoCompressionSummaryModel: 'small',
  autoCompressionKeepRecentCount: 4,
  maxContextTokens: 8_000,
};
const SUMMARY = '目标: go on\n决定: none\n已完成: all of it\n未完成: nothing\n文件: a.ts\n失败: none';
const OURS = /** @type {const} */ ({ price: 'openai-older', outdatedBy: 'age' });
const ID = { conversationId: 'a' };

/** @param {number} turns @param {string} name */
function conversation(turns, name = 'it') {
  /** @type {any[]} */
  const messages = [
    { role: 'system', content: `You are an agent. ${'Be careful. '.repeat(300)}` },
    { role: 'user', content: `Work on ${name}.` },
  ];
  for (let turn = 0; turn < turns; turn++) {
    const id = `${name}_${turn}`;
    const call = { id, type: 'function', function: { name: 'bash', arguments: `{"command":"make ${id}"}` } };
    messages.push({ role: 'assistant', content: `Step ${turn}.`, tool_calls: [call] });
    messages.push({ role: 'tool', tool_call_id: id, content: `out ${id} ${'of the log '.repeat(200)}` });
  }
  return messages;
}

/** A clock that moves on when it is told: the store's, and what passes in every process; a machine's own may be wrong by `skewMs`. */
class Clock {
  nowMs = START;
  skewMs = 0;
  now = () => this.nowMs;

  /** @template T @param {() => Promise<T>} work @returns {Promise<T>} */
  async during(work) {
    const clocks = [
      mock.method(Date, 'now', () => this.nowMs + this.skewMs),
      mock.method(performance, 'now', () => this.nowMs - START + 500),
    ];
    try {
      return await work();
    } finally {
      for (const clock of clocks) clock.mock.restore();
    }
  }
}

/** A store that does what a test says, by the method that is called. */
class OddStore extends MemoryStore {
  calls = { acquire: 0, commit: 0, release: 0 };
  /** @type {(method: string, nth: number, go: () => Promise<any>) => Promise<any>} */
  on = (_, __, go) => go();

  /** @param {any[]} given */
  // @ts-expect-error Whatever the method takes.
  acquire = (...given) => this.on('acquire', ++this.calls.acquire, () => super.acquire(...given));
  /** @param {any[]} given */
  // @ts-expect-error Whatever the method takes.
  commit = (...given) => this.on('commit', ++this.calls.commit, () => super.commit(...given));
  /** @param {any[]} given */
  // @ts-expect-error Whatever the method takes.
  release = (...given) => this.on('release', ++this.calls.release, () => super.release(...given));
}

/** What was sent, short enough to be shown. @param {any[]} messages */
const bytesOf = (messages) => {
  const text = JSON.stringify(messages);
  return `${text.length} ${createHash('sha256').update(text).digest('hex').slice(0, 12)}`;
};

/** Requests of a conversation that grows, with pauses that a cache does not outlive. @param {(messages: any[], request: number) => Promise<any>} ask @param {Clock} clock */
async function played(ask, clock, turns = 40) {
  /** @type {string[]} */
  const sent = [];
  await clock.during(async () => {
    for (let turn = 1; turn <= turns; turn++) {
      clock.nowMs += turn % 9 === 0 ? 700_000 : 20_000;
      sent.push(bytesOf((await ask(conversation(turn), turn)).messages));
    }
  });
  return sent;
}

/** What one process sends. */
async function inOneProcess(options = {}) {
  const clock = new Clock();
  const views = new ContextViews({ ...OURS, store: new MemoryStore(clock.now), ...options });
  return played((messages) => views.prepare(messages, ID), clock);
}

describe('R15.2 the same bytes', () => {
  test('in one process, in a new one for each turn, and for each request', async () => {
    const expected = await inOneProcess();
    assert.ok(Number.parseInt(expected.at(-1) ?? '', 10) < 0.8 * JSON.stringify(conversation(40)).length);
    for (const every of [1, 4]) {
      const clock = new Clock();
      const store = new MemoryStore(clock.now);
      /** @type {ContextViews} */
      let views;
      const sent = await played((messages, request) => {
        if (request % every === 1 % every) views = new ContextViews({ ...OURS, store });
        return views.prepare(messages, ID);
      }, clock);
      assert.deepEqual(sent, expected, `a process for ${every} requests`);
    }
  });

  test('by machines that take turns, and whose clocks are an hour apart', async () => {
    const expected = await inOneProcess();
    const clock = new Clock();
    const store = new MemoryStore(clock.now);
    const machines = [0, 3_600_000, -3_600_000].map((skew) => ({ skew, views: new ContextViews({ ...OURS, store }) }));
    const sent = await played((messages, request) => {
      const { skew, views } = /** @type {typeof machines[0]} */ (machines[request % 3]);
      clock.skewMs = skew;
      return views.prepare(messages, ID);
    }, clock);
    assert.deepEqual(sent, expected);
  });

  test('with a title, an earlier part and another conversation of the same host in between', async () => {
    const expected = await inOneProcess();
    for (const isNew of [false, true]) {
      const clock = new Clock();
      const store = new MemoryStore(clock.now);
      let views = new ContextViews({ ...OURS, store });
      const sent = await played(async (messages, request) => {
        if (isNew) views = new ContextViews({ ...OURS, store });
        const prepared = await views.prepare(messages, ID);
        const title = [{ role: 'system', content: 'You give titles.' }, ...messages.slice(1, 2)];
        if (request % 5 === 0) await views.prepare(title, ID);
        if (request % 6 === 0) await views.prepare(messages.slice(0, 8), ID);
        if (request % 7 === 0) await views.prepare(conversation(request, 'else'), { conversationId: 'b' });
        return prepared;
      }, clock);
      assert.deepEqual(sent, expected, isNew ? 'a new process for each' : 'one process');
    }
  });
});

test('R15.2 a warm request is one commit, and a new process reads once', async () => {
  const store = new OddStore();
  const views = new ContextViews({ ...OURS, store });
  for (let turn = 1; turn <= 10; turn++) await views.prepare(conversation(turn), ID);
  assert.deepEqual(store.calls, { acquire: 1, commit: 10, release: 0 });
  await new ContextViews({ ...OURS, store }).prepare(conversation(11), ID);
  assert.deepEqual(store.calls, { acquire: 2, commit: 11, release: 0 });
});

test('R15.4 deltas are put together before they are longer than what they are about', async () => {
  const clock = new Clock();
  const store = new MemoryStore(clock.now);
  const views = new ContextViews({ ...OURS, store });
  let most = 0;
  for (let turn = 1; turn <= 200; turn++) {
    clock.nowMs += 20_000;
    await views.prepare(conversation(turn), ID);
    const { snapshot, deltas } = /** @type {any} */ (await store.acquire('a')).state;
    most = Math.max(most, deltas.join('').length - Math.max(snapshot.length, 65_536));
  }
  assert.ok(most < 4_096, `${most} more than allowed`);
});

test('R15.2 a process that is killed between commit and send leaves a conversation that goes on as a retry', async () => {
  const expected = await inOneProcess();
  const clock = new Clock();
  const store = new MemoryStore(clock.now);
  const sent = await played(async (messages, request) => {
    // What it prepared was committed, and never sent.
    if (request % 3 === 0) await new ContextViews({ ...OURS, store }).prepare(messages, ID);
    return new ContextViews({ ...OURS, store }).prepare(messages, ID);
  }, clock);
  assert.deepEqual(sent, expected);
});

describe('R15.3 a store that', () => {
  /** Everything is sent, and what is sent is right, whatever the store does. @param {OddStore['on']} on @param {any} [options] */
  const withStore = async (on, options) => {
    const clock = new Clock();
    const store = Object.assign(new OddStore(clock.now), { on });
    /** @type {any[]} */
    const events = [];
    const onEvent = (/** @type {any} */ event) => events.push(event);
    const views = new ContextViews({ ...OURS, store, onEvent, storeTimeoutMs: 50, ...options });
    const sent = await played((messages) => views.prepare(messages, ID), clock);
    return { sent, events, store, views };
  };
  const lost = () => Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNRESET' }));

  test('fails now and then: one that lives sends the same', async () => {
    const expected = await inOneProcess();
    const { sent, events, store } = await withStore((_method, nth, go) => (nth % 4 === 0 ? lost() : go()));
    assert.deepEqual(sent, expected);
    assert.deepEqual(events, [], 'a commit is asked for twice');
    assert.equal((await store.acquire('a'))?.version, 40);
  });

  test('loses answers: nothing is doubled', async () => {
    const expected = await inOneProcess();
    const { sent, events, store } = await withStore(async (method, nth, go) => {
      const answer = await go();
      return method === 'commit' && nth % 3 === 0 ? lost() : answer;
    });
    assert.deepEqual(sent, expected);
    assert.deepEqual(events, []);
    assert.equal((await store.acquire('a'))?.version, 40);
  });

  test('is away for a while: requests go on, that is said, and later all is stored', async () => {
    const expected = await inOneProcess();
    const { sent, events, store } = await withStore((_method, nth, go) => (nth > 10 && nth < 31 ? lost() : go()));
    assert.deepEqual(sent, expected);
    assert.ok(events.length >= 9 && events.every(({ type, did }) => type === 'store' && did === 'went_on_without'));
    assert.equal(events[0].error.code, 'ECONNRESET');
    store.on = (_, __, go) => go();
    const next = await new ContextViews({ ...OURS, store }).prepare(conversation(40), ID);
    assert.equal(bytesOf(next.messages), sent.at(-1), 'another process goes on from there');
  });

  test('never answers: a request waits for storeTimeoutMs in all', async () => {
    const hangs = () => new Promise(() => {});
    const views = new ContextViews({
      ...OURS,
      store: Object.assign(new OddStore(), { on: hangs }),
      storeTimeoutMs: 80,
    });
    const started = performance.now();
    const { messages } = await views.prepare(conversation(3), ID);
    const waited = performance.now() - started;
    assert.equal(messages.length, conversation(3).length);
    assert.ok(waited >= 75, `${waited} ms`);
    const abort = new AbortController();
    const asked = views.prepare(conversation(4), { ...ID, signal: abort.signal });
    setTimeout(() => abort.abort(new Error('enough')), 10);
    await assert.rejects(asked, /enough/);
  });

  test('answers too late: what it wrote by then is found, and nothing twice', async () => {
    const { sent, store, events } = await withStore(
      async (method, nth, go) => {
        const answer = await go();
        if (method === 'commit' && nth === 7) await new Promise((done) => setTimeout(done, 60));
        return answer;
      },
      { storeTimeoutMs: 30 },
    );
    assert.deepEqual(sent, await inOneProcess());
    assert.deepEqual(
      events.map(({ error }) => error.code),
      ['STORE_TIMEOUT'],
    );
    assert.equal((await store.acquire('a'))?.version, 40);
  });

  test('holds what nobody can read: a new state takes its place', async () => {
    const store = new MemoryStore();
    await store.commit('a', { fence: 0, version: 0, state: 'not ours' });
    /** @type {any[]} */
    const events = [];
    const views = new ContextViews({ ...OURS, store, onEvent: (event) => events.push(event) });
    await views.prepare(conversation(3), ID);
    assert.deepEqual(
      events.map(({ did }) => did),
      ['state_replaced'],
    );
    const other = new ContextViews({ ...OURS, store, onEvent: (event) => events.push(event) });
    await other.prepare(conversation(4), ID);
    assert.equal(events.length, 1);
  });
});

test('R15.2 of two machines with one conversation the one that is refused decides again, with what the other has made', async () => {
  const store = new MemoryStore();
  /** @type {any[]} */
  const events = [];
  const machines = [1, 2].map(() => new ContextViews({ ...OURS, store, onEvent: (event) => events.push(event) }));
  const [one, other] = /** @type {[ContextViews, ContextViews]} */ (machines);
  for (let turn = 3; turn < 30; turn += 2) {
    const both = [one.prepare(conversation(turn), ID), other.prepare(conversation(turn + 1), ID)];
    const [, newest] = await Promise.all(both);
    const third = await new ContextViews({ ...OURS, store }).prepare(conversation(turn + 1), ID);
    assert.equal(bytesOf(third.messages), bytesOf(newest?.messages ?? []), `request ${turn}`);
  }
  assert.ok(events.length >= 13 && events.every(({ did }) => did === 'decided_again'), `${events.length} events`);
});

describe('R15.1 summaries', () => {
  /** @param {any} store @param {{ calls: number }} counted @param {any} [options] */
  const compressing = (store, counted, options) => {
    const llmClient = async () => {
      counted.calls++;
      await new Promise((done) => setTimeout(done, 30));
      return SUMMARY;
    };
    return new ContextViews({ price: 'anthropic', store, compression: { config: CONFIG, llmClient, ...options } });
  };
  const chat = (/** @type {number} */ turns) => conversation(turns).filter(({ role }) => role !== 'tool');
  /** @param {number} turns @returns {any[]} */
  const talk = (turns) =>
    chat(turns).flatMap(({ tool_calls: _, ...message }, at) => [
      { ...message, content: `${message.content} ${'that is so. '.repeat(60)}` },
      ...(at > 1 ? [{ role: 'user', content: `And ${at}? ${'what about this? '.repeat(20)}` }] : []),
    ]);

  test('two machines that are asked for one at the same time write one', async () => {
    const alone = { calls: 0 };
    await compressing(new MemoryStore(), alone).prepare(talk(40), ID);
    const [store, counted] = [new OddStore(), { calls: 0 }];
    const machines = [1, 2].map(() => compressing(store, counted));
    const [first, second] = await Promise.all(machines.map((views) => views.prepare(talk(40), ID)));
    assert.equal(counted.calls, alone.calls);
    assert.equal(bytesOf(second.messages), bytesOf(first.messages));
    assert.ok(first.messages.length < talk(40).length);
    assert.ok(store.calls.release > 0);
    const third = await compressing(store, counted).prepare(talk(40), ID);
    assert.equal(bytesOf(third.messages), bytesOf(first.messages));
    assert.equal(counted.calls, alone.calls);
  });

  test('originals go to the archive’s session of the conversation, in one step with the state', async () => {
    /** @type {[string, any][]} */
    const appended = [];
    const [store, counted] = [new MemoryStore(), { calls: 0 }];
    store.append = (sessionId, batch) => appended.push([sessionId, batch]);
    const views = compressing(store, counted, { archive: store });
    for (const conversationId of ['a', 'b']) {
      const { history } = await views.prepare(talk(40), { conversationId });
      assert.ok(history.length < talk(40).length);
    }
    assert.deepEqual(
      appended.map(([sessionId]) => sessionId),
      ['a', 'b'],
    );
    const state = JSON.stringify([...store.conversations.values()].map(({ state }) => state));
    // A summary quotes what the user has asked.
    assert.ok(!/Step 12\. that is so/.test(state), 'no original in a state');
  });

  test('originals that could not be stored stay in what the host is given', async () => {
    const counted = { calls: 0 };
    const gone = async () => Promise.reject(new Error('gone'));
    const store = Object.assign(new MemoryStore(), { acquire: gone, commit: gone, release: gone });
    const views = compressing(store, counted, { archive: store });
    const stored = talk(40);
    const { history } = await views.prepare(stored, ID);
    assert.ok(counted.calls > 0 && history.length < stored.length);
    assert.deepEqual(expandHistory(history), stored);
  });
});

test('R15.4 without a store, too, no conversation’s originals go to the session of another', async () => {
  /** @type {string[]} */
  const sessions = [];
  const archive = { append: async (/** @type {string} */ sessionId) => sessions.push(sessionId) };
  const compression = { config: CONFIG, llmClient: async () => SUMMARY, archive, sessionId: 's' };
  const views = new ContextViews({ compression: /** @type {any} */ (compression) });
  for (const [name, told] of /** @type {[string, any][]} */ ([
    ['x', {}],
    ['y', {}],
    ['z', { conversationId: 'z' }],
  ])) {
    const long = Array.from({ length: 60 }, (_, at) => ({
      role: at % 2 ? 'assistant' : 'user',
      content: `${name} ${at}: ${'that is so. '.repeat(60)}`,
    }));
    await views.prepare(long, told);
  }
  assert.deepEqual(sessions, ['s', 's/2', 'z']);
});

test('reports are stored with the next request, or when flush() is asked', async () => {
  const store = new MemoryStore();
  const views = new ContextViews({ ...OURS, store });
  await views.prepare(conversation(4), ID);
  const [view] = [...views];
  view?.observe({ prompt_tokens: 9_000, prompt_tokens_details: { cached_tokens: 0 } });
  assert.equal(await views.flush(), true);
  assert.equal((await store.acquire('a'))?.version, 2);
  assert.equal(await views.flush(), true);
  assert.equal((await store.acquire('a'))?.version, 2, 'there was nothing new');
});

test('what can’t be kept in a store is refused', async () => {
  const store = new MemoryStore();
  assert.throws(() => new ContextViews({ store: /** @type {any} */ ({}) }), { code: 'ERR_INVALID_ARG_TYPE' });
  assert.throws(() => new ContextViews({ store, storeTimeoutMs: 0 }), { code: 'ERR_OUT_OF_RANGE' });
  const views = new ContextViews({ store });
  await assert.rejects(views.prepare(conversation(1)), { code: 'ERR_INVALID_ARG_TYPE' });
  assert.throws(() => views.project(conversation(1), ID), { code: 'ERR_OUT_OF_RANGE' });
});
