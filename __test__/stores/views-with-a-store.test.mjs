// @ts-check
/** `ContextViews` with a store: any process can continue a conversation, and the store may fail. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, mock, test } from 'node:test';
import { ContextViews, expandHistory } from 'palimpsest';
import { exchange, MINUTE, START } from '../support/histories.mjs';
import { COMPRESSION_CONFIG, SUMMARY } from '../support/view-sessions.mjs';
import { MemoryStore, ScriptedStore } from './memory-store.mjs';

const OPTIONS = /** @type {const} */ ({ price: 'openai-older', outdatedBy: 'age' });
const ID = { conversationId: 'a' };

/** @param {number} turns @param {string} [name] */
function conversation(turns, name = 'the task') {
  /** @type {any[]} */
  const messages = [
    { role: 'system', content: `You are an agent. ${'Be careful. '.repeat(300)}` },
    { role: 'user', content: `Work on ${name}.` },
  ];
  for (let turn = 0; turn < turns; turn++) {
    const id = `call_${turn}`;
    const [call, result] = exchange(id, 'bash', { command: `make ${id}` }, `out ${id} ${'of the log '.repeat(200)}`);
    messages.push({ ...call, content: `Step ${turn}.` }, result);
  }
  return messages;
}

/** @param {object} archive @returns {any} */
const compressionWith = (archive) => ({
  config: COMPRESSION_CONFIG,
  llmClient: async () => SUMMARY,
  archive,
  sessionId: 's',
});

/** @param {number} turns */
const timedConversation = (turns) =>
  conversation(turns).map((message, at) => ({ ...message, timestamp: START + at * MINUTE }));

/** A simulated clock of the store and all processes; a machine's own clock may differ by `skewMs`. */
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

/** Length and hash of what is sent. @param {any[]} messages */
const bytesOf = (messages) => {
  const text = JSON.stringify(messages);
  return `${text.length} ${createHash('sha256').update(text).digest('hex').slice(0, 12)}`;
};

/**
 * Sends a growing conversation with pauses after which the cache is cold.
 * @param {(messages: any[], request: number) => Promise<any>} send
 * @param {Clock} clock
 */
async function bytesOfRequests(send, clock, turns = 40) {
  /** @type {string[]} */
  const sent = [];
  await clock.during(async () => {
    for (let turn = 1; turn <= turns; turn++) {
      clock.nowMs += turn % 9 === 0 ? 700_000 : 20_000;
      sent.push(bytesOf((await send(conversation(turn), turn)).messages));
    }
  });
  return sent;
}

async function bytesOfOneProcess() {
  const clock = new Clock();
  const views = new ContextViews({ ...OPTIONS, store: new MemoryStore(clock.now) });
  return bytesOfRequests((messages) => views.prepare(messages, ID), clock);
}

describe('R15.2 the bytes of one uninterrupted process are sent', () => {
  test('by a new process for each request, or for every four', async () => {
    const expected = await bytesOfOneProcess();
    assert.ok(Number.parseInt(expected.at(-1) ?? '', 10) < 0.8 * JSON.stringify(conversation(40)).length);
    for (const every of [1, 4]) {
      const clock = new Clock();
      const store = new MemoryStore(clock.now);
      /** @type {ContextViews} */
      let views;
      const sent = await bytesOfRequests((messages, request) => {
        if (request % every === 1 % every) views = new ContextViews({ ...OPTIONS, store });
        return views.prepare(messages, ID);
      }, clock);
      assert.deepEqual(sent, expected, `a process for ${every} requests`);
    }
  });

  test('by machines that take turns, and whose clocks differ by an hour', async () => {
    const expected = await bytesOfOneProcess();
    const clock = new Clock();
    const store = new MemoryStore(clock.now);
    const machines = [0, 3_600_000, -3_600_000].map((skew) => ({
      skew,
      views: new ContextViews({ ...OPTIONS, store }),
    }));
    const sent = await bytesOfRequests((messages, request) => {
      const { skew, views } = /** @type {typeof machines[0]} */ (machines[request % 3]);
      clock.skewMs = skew;
      return views.prepare(messages, ID);
    }, clock);
    assert.deepEqual(sent, expected);
  });

  test('if title requests, earlier parts and another conversation are sent in between', async () => {
    const expected = await bytesOfOneProcess();
    for (const isNew of [false, true]) {
      const clock = new Clock();
      const store = new MemoryStore(clock.now);
      let views = new ContextViews({ ...OPTIONS, store });
      const sent = await bytesOfRequests(async (messages, request) => {
        if (isNew) views = new ContextViews({ ...OPTIONS, store });
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

test('R15.2 each request calls the store once', async () => {
  const store = new ScriptedStore();
  const views = new ContextViews({ ...OPTIONS, store });
  for (let turn = 1; turn <= 10; turn++) await views.prepare(conversation(turn), ID);
  assert.equal(store.calls.length, 10);
});

test('R15.2 a conversation with times and without compression never calls the store', async () => {
  const store = new ScriptedStore();
  const [withStore, withoutStore] = [new ContextViews({ ...OPTIONS, store }), new ContextViews(OPTIONS)];
  for (let turn = 1; turn <= 40; turn++) {
    const { messages } = await withStore.prepare(timedConversation(turn), ID);
    const newProcess = await new ContextViews({ ...OPTIONS, store }).prepare(timedConversation(turn), ID);
    const alone = await withoutStore.prepare(timedConversation(turn), ID);
    assert.deepEqual([bytesOf(newProcess.messages), bytesOf(alone.messages)], [bytesOf(messages), bytesOf(messages)]);
  }
  assert.equal(store.calls.length, 0);
  assert.equal(store.conversations.size, 0);
});

test('R15.2 a request that was prepared by a killed process and never sent counts as a retry', async () => {
  const expected = await bytesOfOneProcess();
  const clock = new Clock();
  const store = new MemoryStore(clock.now);
  const sent = await bytesOfRequests(async (messages, request) => {
    // The killed process: its messages are never sent.
    if (request % 3 === 0) await new ContextViews({ ...OPTIONS, store }).prepare(messages, ID);
    return new ContextViews({ ...OPTIONS, store }).prepare(messages, ID);
  }, clock);
  assert.deepEqual(sent, expected);
});

describe('R15.3 a store that', () => {
  /** Sends 40 requests with a faulty store. @param {ScriptedStore['respond']} respond */
  const sentWith = async (respond) => {
    const clock = new Clock();
    const store = Object.assign(new ScriptedStore(clock.now), { respond });
    /** @type {any[]} */
    const events = [];
    const onEvent = (/** @type {any} */ event) => events.push(event);
    const views = new ContextViews({ ...OPTIONS, store, onEvent, storeTimeoutMs: 50 });
    const sent = await bytesOfRequests((messages) => views.prepare(messages, ID), clock);
    store.respond = (call) => call();
    return { sent, events, store };
  };
  const lost = () => Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNRESET' }));

  test('fails now and then stops no request, and the next one writes the missing facts', async () => {
    const { sent, events, store } = await sentWith((call, _, nth) => (nth % 4 === 0 ? lost() : call()));
    assert.deepEqual(sent, await bytesOfOneProcess());
    assert.ok(events.every(({ type, did }) => type === 'store' && did === 'went_on_without'));
    const facts = (await store.facts('a')).map(({ fact }) => JSON.parse(fact).length);
    assert.ok(facts.length >= 39 && new Set(facts).size === facts.length, 'each request once');
  });

  test('loses responses has each fact once', async () => {
    const { sent, store } = await sentWith(async (call, _, nth) => {
      const response = await call();
      return nth % 3 === 0 ? lost() : response;
    });
    assert.deepEqual(sent, await bytesOfOneProcess());
    const facts = (await store.facts('a')).map(({ fact }) => fact);
    assert.equal(new Set(facts).size, facts.length);
  });

  test('is unreachable for a while stops no request, and `onEvent` is called', async () => {
    const { sent, events } = await sentWith((call, _, nth) => (nth > 10 && nth < 31 ? lost() : call()));
    assert.equal(sent.length, 40);
    assert.ok(events.length >= 9);
    assert.equal(events[0].error.code, 'ECONNRESET');
  });

  test('is unreachable changes no byte if messages have times', async () => {
    const store = Object.assign(new ScriptedStore(), { respond: lost });
    const [withStore, withoutStore] = [new ContextViews({ ...OPTIONS, store }), new ContextViews(OPTIONS)];
    for (let turn = 1; turn <= 40; turn++) {
      const [one, other] = [
        await withStore.prepare(timedConversation(turn), ID),
        await withoutStore.prepare(timedConversation(turn), ID),
      ];
      assert.equal(bytesOf(one.messages), bytesOf(other.messages));
    }
  });

  test('never responds delays a request by `storeTimeoutMs`', async () => {
    const store = Object.assign(new ScriptedStore(), { respond: () => new Promise(() => {}) });
    const views = new ContextViews({ ...OPTIONS, store, storeTimeoutMs: 80 });
    const started = performance.now();
    const { messages } = await views.prepare(conversation(3), ID);
    const waited = performance.now() - started;
    assert.equal(messages.length, conversation(3).length);
    assert.ok(waited >= 75, `${waited} ms`);
  });

  test('has unreadable facts stops no request', async () => {
    const store = new MemoryStore();
    await store.appendFacts('a', 0, ['not ours', '{"type":"request"}']);
    const views = new ContextViews({ ...OPTIONS, store });
    const { messages } = await views.prepare(conversation(3), ID);
    assert.equal(messages.length, conversation(3).length);
    assert.equal((await store.facts('a')).length, 3);
  });
});

describe('R15.3 an abort ends the wait for a store or archive that never responds', () => {
  for (const [name, isSilent] of /** @type {[string, (method: string, nth: number) => boolean][]} */ ([
    ['when it reads facts', (method, nth) => method === 'facts' && nth === 1],
    ['when it writes the fact of a summary', (method, nth) => method === 'facts' && nth === 2],
    ['when it archives originals', (method) => method === 'append'],
  ])) {
    test(name, { timeout: 60_000 }, async () => {
      const abort = new AbortController();
      const respond = (
        /** @type {string} */ method,
        /** @type {number} */ nth,
        /** @type {() => Promise<any>} */ call,
      ) => {
        if (!isSilent(method, nth)) return call();
        setImmediate(() => abort.abort(new Error('enough')));
        return new Promise(() => {});
      };
      const store = new ScriptedStore();
      store.respond = (call, _, nth) => respond('facts', nth, call);
      const compression = compressionWith({ append: () => respond('append', 1, async () => {}) });
      // The timeout is days, so only the abort can end the wait.
      const views = new ContextViews({ ...OPTIONS, store, storeTimeoutMs: 2 ** 31 - 1, compression });
      const prepared = views.prepare(conversation(40), { ...ID, signal: abort.signal });
      await assert.rejects(prepared, { message: 'enough' });
    });
  }
});

test('R15.3 an archive that never responds is abandoned after `storeTimeoutMs`, and no original is lost', async () => {
  const compression = compressionWith({ append: () => new Promise(() => {}) });
  const views = new ContextViews({ ...OPTIONS, store: new MemoryStore(), storeTimeoutMs: 30, compression });
  const { compression: outcome, history } = await views.prepare(conversation(40), ID);
  assert.equal(outcome.did, 'summarised');
  assert.deepEqual(expandHistory(history), conversation(40));
});

test('R15.2 two machines with one conversation send the same as a third that has all facts', async () => {
  const store = new MemoryStore();
  const [one, other] = [new ContextViews({ ...OPTIONS, store }), new ContextViews({ ...OPTIONS, store })];
  for (let turn = 3; turn < 30; turn += 2) {
    await Promise.all([one.prepare(conversation(turn), ID), other.prepare(conversation(turn + 1), ID)]);
    const newest = await other.prepare(conversation(turn + 1), ID);
    const third = await new ContextViews({ ...OPTIONS, store }).prepare(conversation(turn + 1), ID);
    assert.equal(bytesOf(third.messages), bytesOf(newest.messages), `request ${turn}`);
  }
});

describe('R15.2 summaries', () => {
  /** @param {any} store @param {{ calls: number }} counted @param {any} [options] */
  const compressing = (store, counted, options) => {
    const llmClient = async () => {
      counted.calls++;
      await new Promise((done) => setTimeout(done, 30));
      return SUMMARY;
    };
    return new ContextViews({
      price: 'anthropic',
      store,
      compression: { config: COMPRESSION_CONFIG, llmClient, ...options },
    });
  };
  const chat = (/** @type {number} */ turns) => conversation(turns).filter(({ role }) => role !== 'tool');
  /** @param {number} turns @returns {any[]} */
  const longConversation = (turns) =>
    chat(turns).flatMap(({ tool_calls: _, ...message }, at) => [
      { ...message, content: `${message.content} ${'that is so. '.repeat(60)}` },
      ...(at > 1 ? [{ role: 'user', content: `And ${at}? ${'what about this? '.repeat(20)}` }] : []),
    ]);

  test('two machines that summarise one range at the same time both send the first summary', async () => {
    let nth = 0;
    const store = new MemoryStore();
    const machines = [1, 2].map(() => {
      const own = ++nth;
      const llmClient = async () => {
        await new Promise((done) => setTimeout(done, 20 * own));
        return SUMMARY.replace('go on', `go on, says ${own}`);
      };
      return new ContextViews({ price: 'anthropic', store, compression: { config: COMPRESSION_CONFIG, llmClient } });
    });
    const [first, second] = await Promise.all(machines.map((views) => views.prepare(longConversation(40), ID)));
    assert.ok(first !== undefined && second !== undefined && first.messages.length < longConversation(40).length);
    assert.ok(JSON.stringify(first.messages).includes('says 1'));
    assert.equal(bytesOf(second.messages), bytesOf(first.messages));
    const counted = { calls: 0 };
    const third = await compressing(store, counted).prepare(longConversation(40), ID);
    assert.equal(bytesOf(third.messages), bytesOf(first.messages));
    assert.equal(counted.calls, 0, 'a third machine requests none');
  });

  test('originals are appended to the archive session of their conversation, and no fact has any', async () => {
    /** @type {string[]} */
    const appended = [];
    const [store, counted] = [new MemoryStore(), { calls: 0 }];
    const archive = { append: async (/** @type {string} */ sessionId) => appended.push(sessionId) };
    const views = compressing(store, counted, { archive, sessionId: 's' });
    for (const conversationId of ['a', 'b']) {
      const { history } = await views.prepare(longConversation(40), { conversationId });
      assert.ok(history.length < longConversation(40).length);
    }
    assert.deepEqual(appended, ['a', 'b']);
    const facts = JSON.stringify([...store.conversations.values()]);
    // A summary quotes user messages, so this looks for an assistant message.
    assert.ok(!/Step 12\. that is so/.test(facts), 'no original in a fact');
  });

  test('originals that could not be archived stay in `history`', async () => {
    const counted = { calls: 0 };
    const fails = async () => Promise.reject(new Error('gone'));
    const store = Object.assign(new MemoryStore(), { appendFacts: fails, append: fails });
    const views = compressing(store, counted, { archive: store });
    const stored = longConversation(40);
    const { history } = await views.prepare(stored, ID);
    assert.ok(counted.calls > 0 && history.length < stored.length);
    assert.deepEqual(expandHistory(history), stored);
  });
});

test('R15.4 without a store, each conversation has its own archive session', async () => {
  /** @type {string[]} */
  const sessions = [];
  const archive = { append: async (/** @type {string} */ sessionId) => sessions.push(sessionId) };
  const views = new ContextViews({ compression: compressionWith(archive) });
  for (const [name, requestOptions] of /** @type {[string, any][]} */ ([
    ['x', {}],
    ['y', {}],
    ['z', { conversationId: 'z' }],
  ])) {
    const long = Array.from({ length: 60 }, (_, at) => ({
      role: at % 2 ? 'assistant' : 'user',
      content: `${name} ${at}: ${'that is so. '.repeat(60)}`,
    }));
    await views.prepare(long, requestOptions);
  }
  assert.deepEqual(sessions, ['s', 's/2', 'z']);
});

test('R0.3 invalid uses of `store`, `storeTimeoutMs` and `conversationId` are rejected', async () => {
  const store = new MemoryStore();
  assert.throws(() => new ContextViews({ store: /** @type {any} */ ({}) }), { code: 'ERR_INVALID_ARG_TYPE' });
  assert.throws(() => new ContextViews({ store, storeTimeoutMs: 0 }), { code: 'ERR_OUT_OF_RANGE' });
  assert.throws(() => new ContextViews({ storeTimeoutMs: 5 }), {
    code: 'ERR_OUT_OF_RANGE',
    message: /options\.store,/,
  });
  const views = new ContextViews({ store });
  await assert.rejects(views.prepare(conversation(1)), { code: 'ERR_INVALID_ARG_TYPE' });
  await assert.rejects(views.prepare(conversation(1), { conversationId: '' }), { code: 'ERR_OUT_OF_RANGE' });
  assert.throws(() => views.project(conversation(1), ID), { code: 'ERR_OUT_OF_RANGE' });
});
