// @ts-check
/** Conversations that any process goes on with: `ContextViews` with a store, one process or many, and stores that fail. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, mock, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
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

/** A store that does what a test says. */
class OddStore extends MemoryStore {
  calls = 0;
  /** @type {(nth: number, go: () => Promise<any>) => Promise<any>} */
  on = (_, go) => go();

  /** @param {any[]} given */
  // @ts-expect-error Whatever the method takes.
  appendFacts = (...given) => this.on(++this.calls, () => super.appendFacts(...given));
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
        if (request % 5 === 0) await views.prepare(title, { ...ID, side: true });
        if (request % 6 === 0) await views.prepare(messages.slice(0, 8), { ...ID, side: true });
        if (request % 7 === 0) await views.prepare(conversation(request, 'else'), { conversationId: 'b' });
        return prepared;
      }, clock);
      assert.deepEqual(sent, expected, isNew ? 'a new process for each' : 'one process');
    }
  });
});

test('R15.2 a request is one call of the store, also the first of a new process', async () => {
  const store = new OddStore();
  const views = new ContextViews({ ...OURS, store });
  for (let turn = 1; turn <= 10; turn++) await views.prepare(conversation(turn), ID);
  assert.equal(store.calls, 10);
});

test('R15.2 nothing is stored that is not needed: a conversation with times and without compression makes no call', async () => {
  const store = new OddStore();
  const timed = (/** @type {number} */ turns) =>
    conversation(turns).map((message, at) => ({ ...message, timestamp: START + at * 60_000 }));
  const [one, bare] = [new ContextViews({ ...OURS, store }), new ContextViews(OURS)];
  for (let turn = 1; turn <= 40; turn++) {
    const { messages } = await one.prepare(timed(turn), ID);
    const other = await new ContextViews({ ...OURS, store }).prepare(timed(turn), ID);
    const alone = await bare.prepare(timed(turn), ID);
    assert.deepEqual([bytesOf(other.messages), bytesOf(alone.messages)], [bytesOf(messages), bytesOf(messages)]);
  }
  assert.equal(store.calls, 0);
  assert.equal(store.conversations.size, 0);
});

test('R15.2 a process that is killed before it sends leaves a conversation that goes on as a retry', async () => {
  const expected = await inOneProcess();
  const clock = new Clock();
  const store = new MemoryStore(clock.now);
  const sent = await played(async (messages, request) => {
    // What it prepared was never sent.
    if (request % 3 === 0) await new ContextViews({ ...OURS, store }).prepare(messages, ID);
    return new ContextViews({ ...OURS, store }).prepare(messages, ID);
  }, clock);
  assert.deepEqual(sent, expected);
});

describe('R15.3 a store that', () => {
  /** Everything is sent, whatever the store does. @param {OddStore['on']} on @param {any} [options] */
  const withStore = async (on, options) => {
    const clock = new Clock();
    const store = Object.assign(new OddStore(clock.now), { on });
    /** @type {any[]} */
    const events = [];
    const onEvent = (/** @type {any} */ event) => events.push(event);
    const views = new ContextViews({ ...OURS, store, onEvent, storeTimeoutMs: 50, ...options });
    const sent = await played((messages) => views.prepare(messages, ID), clock);
    store.on = (_, go) => go();
    return { sent, events, store };
  };
  const lost = () => Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNRESET' }));

  test('fails now and then costs no request, and the next one writes what is missing', async () => {
    const { sent, events, store } = await withStore((nth, go) => (nth % 4 === 0 ? lost() : go()));
    assert.deepEqual(sent, await inOneProcess());
    assert.ok(events.every(({ type, did }) => type === 'store' && did === 'went_on_without'));
    const facts = (await store.facts('a')).map(({ fact }) => JSON.parse(fact).length);
    assert.ok(facts.length >= 39 && new Set(facts).size === facts.length, 'each request once');
  });

  test('loses answers: nothing is doubled', async () => {
    const { sent, store } = await withStore(async (nth, go) => {
      const answer = await go();
      return nth % 3 === 0 ? lost() : answer;
    });
    assert.deepEqual(sent, await inOneProcess());
    const facts = (await store.facts('a')).map(({ fact }) => fact);
    assert.equal(new Set(facts).size, facts.length);
  });

  test('is away for a while: requests go on, and that is said', async () => {
    const { sent, events } = await withStore((nth, go) => (nth > 10 && nth < 31 ? lost() : go()));
    assert.equal(sent.length, 40);
    assert.ok(events.length >= 9);
    assert.equal(events[0].error.code, 'ECONNRESET');
  });

  test('is away costs no byte where messages carry times', async () => {
    const timed = (/** @type {number} */ turns) =>
      conversation(turns).map((message, at) => ({ ...message, timestamp: START + at * 60_000 }));
    const store = Object.assign(new OddStore(), { on: lost });
    const [with_, without] = [new ContextViews({ ...OURS, store }), new ContextViews(OURS)];
    for (let turn = 1; turn <= 40; turn++) {
      const [one, other] = [await with_.prepare(timed(turn), ID), await without.prepare(timed(turn), ID)];
      assert.equal(bytesOf(one.messages), bytesOf(other.messages));
    }
  });

  test('never answers: a request waits for storeTimeoutMs in all', async () => {
    const hangs = () => new Promise(() => {});
    const store = Object.assign(new OddStore(), { on: hangs });
    const views = new ContextViews({ ...OURS, store, storeTimeoutMs: 80 });
    const started = performance.now();
    const { messages } = await views.prepare(conversation(3), ID);
    const waited = performance.now() - started;
    assert.equal(messages.length, conversation(3).length);
    assert.ok(waited >= 75, `${waited} ms`);
  });

  test('holds what nobody can read: it is passed over', async () => {
    const store = new MemoryStore();
    await store.appendFacts('a', 0, ['not ours', '{"type":"request"}']);
    const views = new ContextViews({ ...OURS, store });
    const { messages } = await views.prepare(conversation(3), ID);
    assert.equal(messages.length, conversation(3).length);
    assert.equal((await store.facts('a')).length, 3);
  });
});

describe('R15.3 an abort ends the wait for a store that never answers', () => {
  /** Nothing else could end it: the store has days. */
  const NEVER_MS = 2 ** 31 - 1;
  /** So long a slow machine may take to end a wait that would last for days. */
  const LONG_MS = 60_000;
  const hangs = () => new Promise(() => {});

  /**
   * Aborts a request that writes a summary as soon as it waits.
   * @param {(method: string, nth: number) => boolean} isSilent
   */
  const abortedWhile = async (isSilent) => {
    /** @type {() => void} */ let begin = () => {};
    /** @type {Promise<void>} */
    const waits = new Promise((resolve) => {
      begin = resolve;
    });
    const silence = () => {
      begin();
      return hangs();
    };
    const on = (/** @type {string} */ method, /** @type {number} */ nth, /** @type {() => Promise<any>} */ go) =>
      isSilent(method, nth) ? silence() : go();
    const store = Object.assign(new OddStore(), {
      on: (/** @type {number} */ nth, /** @type {() => Promise<any>} */ go) => on('facts', nth, go),
    });
    const archive = { append: () => on('append', 1, async () => {}) };
    const compression = { config: CONFIG, llmClient: async () => SUMMARY, archive, sessionId: 's' };
    const views = new ContextViews({
      ...OURS,
      store,
      storeTimeoutMs: NEVER_MS,
      compression: /** @type {any} */ (compression),
    });
    const abort = new AbortController();
    const asked = views.prepare(conversation(40), { ...ID, signal: abort.signal });
    const ended = asked.then(
      () => null,
      (error) => error,
    );
    await waits;
    abort.abort(new Error('enough'));
    const limit = new AbortController();
    const late = delay(LONG_MS, new Error('still waits'), { signal: limit.signal }).catch(() => {});
    const error = await Promise.race([ended, late]);
    limit.abort();
    return error;
  };

  for (const [name, isSilent] of /** @type {[string, (method: string, nth: number) => boolean][]} */ ([
    ['the facts of others', (method, nth) => method === 'facts' && nth === 1],
    ['a summary’s fact', (method, nth) => method === 'facts' && nth === 2],
    ['append', (method) => method === 'append'],
  ])) {
    test(name, async () => {
      assert.equal((await abortedWhile(isSilent)).message, 'enough');
    });
  }
});

test('R15.3 an archive beside the store that never answers is waited for as long as the store, and loses nothing', async () => {
  const archive = { append: () => new Promise(() => {}) };
  const compression = { config: CONFIG, llmClient: async () => SUMMARY, archive, sessionId: 's' };
  const views = new ContextViews({
    ...OURS,
    store: new MemoryStore(),
    storeTimeoutMs: 30,
    compression: /** @type {any} */ (compression),
  });
  const { compression: outcome, history } = await views.prepare(conversation(40), ID);
  assert.equal(outcome.did, 'summarised');
  assert.deepEqual(expandHistory(history), conversation(40));
});

test('R15.2 two machines with one conversation send what a third sends that has all facts', async () => {
  const store = new MemoryStore();
  const [one, other] = [new ContextViews({ ...OURS, store }), new ContextViews({ ...OURS, store })];
  for (let turn = 3; turn < 30; turn += 2) {
    await Promise.all([one.prepare(conversation(turn), ID), other.prepare(conversation(turn + 1), ID)]);
    const newest = await other.prepare(conversation(turn + 1), ID);
    const third = await new ContextViews({ ...OURS, store }).prepare(conversation(turn + 1), ID);
    assert.equal(bytesOf(third.messages), bytesOf(newest.messages), `request ${turn}`);
  }
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

  test('of two machines that summarise one range at the same time both send the first one’s summary', async () => {
    let nth = 0;
    const store = new MemoryStore();
    const machines = [1, 2].map(() => {
      const own = ++nth;
      const llmClient = async () => {
        await new Promise((done) => setTimeout(done, 20 * own));
        return SUMMARY.replace('go on', `go on, says ${own}`);
      };
      return new ContextViews({ price: 'anthropic', store, compression: { config: CONFIG, llmClient } });
    });
    const [first, second] = await Promise.all(machines.map((views) => views.prepare(talk(40), ID)));
    assert.ok(first !== undefined && second !== undefined && first.messages.length < talk(40).length);
    assert.ok(JSON.stringify(first.messages).includes('says 1'));
    assert.equal(bytesOf(second.messages), bytesOf(first.messages));
    const counted = { calls: 0 };
    const third = await compressing(store, counted).prepare(talk(40), ID);
    assert.equal(bytesOf(third.messages), bytesOf(first.messages));
    assert.equal(counted.calls, 0, 'a third one asks for none');
  });

  test('originals go to the archive’s session of the conversation, and a fact holds none', async () => {
    /** @type {string[]} */
    const appended = [];
    const [store, counted] = [new MemoryStore(), { calls: 0 }];
    const archive = { append: async (/** @type {string} */ sessionId) => appended.push(sessionId) };
    const views = compressing(store, counted, { archive, sessionId: 's' });
    for (const conversationId of ['a', 'b']) {
      const { history } = await views.prepare(talk(40), { conversationId });
      assert.ok(history.length < talk(40).length);
    }
    assert.deepEqual(appended, ['a', 'b']);
    const facts = JSON.stringify([...store.conversations.values()]);
    // A summary quotes what the user has asked.
    assert.ok(!/Step 12\. that is so/.test(facts), 'no original in a fact');
  });

  test('originals that could not be stored stay in what the host is given', async () => {
    const counted = { calls: 0 };
    const gone = async () => Promise.reject(new Error('gone'));
    const store = Object.assign(new MemoryStore(), { appendFacts: gone, append: gone });
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

test('what can’t be kept in a store is refused', async () => {
  const store = new MemoryStore();
  assert.throws(() => new ContextViews({ store: /** @type {any} */ ({}) }), { code: 'ERR_INVALID_ARG_TYPE' });
  assert.throws(() => new ContextViews({ store, storeTimeoutMs: 0 }), { code: 'ERR_OUT_OF_RANGE' });
  assert.throws(() => new ContextViews({ storeTimeoutMs: 5 }), {
    code: 'ERR_OUT_OF_RANGE',
    message: /options\.store,/,
  });
  const views = new ContextViews({ store });
  await assert.rejects(views.prepare(conversation(1)), { code: 'ERR_INVALID_ARG_TYPE' });
  assert.throws(() => views.project(conversation(1), ID), { code: 'ERR_OUT_OF_RANGE' });
});
