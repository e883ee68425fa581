// @ts-check
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { ContextView, ContextViews, prepareMessages } from 'palimpsest';
import { START } from '../support/histories.mjs';
import { play, steps, turnsOnly } from '../support/view-sessions.mjs';

const RUNS = { endOnFailure: true, numRuns: 40 };

test('R10.7 a view that is exported and imported anywhere goes on with the same bytes', () => {
  const prices = fc.constantFrom('anthropic', 'deepseek', 'none');
  fc.assert(
    fc.property(steps(60), fc.nat(60), prices, fc.boolean(), (plan, at, price, isTimed) => {
      const one = new ContextView({ price });
      let other = new ContextView({ price });
      let request = 0;
      const compare = (/** @type {any[]} */ stored, /** @type {number} */ now) => {
        if (request++ === at) other = ContextView.import(JSON.parse(JSON.stringify(other.export())), { price });
        const reloaded = structuredClone(stored);
        const [a, b] = [one.project(stored, { now }), other.project(request > at ? reloaded : stored, { now })];
        assert.equal(JSON.stringify(b.messages), JSON.stringify(a.messages));
      };
      play(plan, compare, { isTimed });
    }),
    RUNS,
  );
});

test('R10.7 the ledger of an imported view counts all requests of the conversation, those of other processes too', () => {
  fc.assert(
    fc.property(
      turnsOnly(40),
      fc.constantFrom('anthropic', 'deepseek', 'none'),
      fc.boolean(),
      (plan, price, isTimed) => {
        const one = new ContextView({ price });
        play(
          plan,
          (stored, now) => {
            one.project(stored, { now });
            const other = ContextView.import(one.export(), { price });
            other.project(structuredClone(stored), { now });
            assert.deepEqual(other.ledger(), one.ledger());
          },
          { isTimed },
        );
      },
    ),
    { ...RUNS, numRuns: 10 },
  );
});

test('R10.7 an export changes nothing for the view that gives it', () => {
  fc.assert(
    fc.property(steps(60), fc.constantFrom('anthropic', 'deepseek'), fc.boolean(), (plan, price, isTimed) => {
      const [one, other] = [new ContextView({ price }), new ContextView({ price })];
      const compare = (/** @type {any[]} */ stored, /** @type {number} */ now) => {
        other.export();
        const [a, b] = [one.project(stored, { now }), other.project(stored, { now })];
        assert.equal(JSON.stringify(b.messages), JSON.stringify(a.messages));
        assert.deepEqual(other.ledger(), one.ledger());
      };
      play(plan, compare, { isTimed });
    }),
    RUNS,
  );
});

test('a view without a cache decides at each request as prepareMessages does on the same messages', () => {
  const options = { terminal: false, fileReads: false, textSearch: false };
  const rules = [
    { name: 'old', tools: ['Bash', 'Read', 'Grep'], maxAgeMs: 600_000, keepRecent: 3, placeholder: '[old]' },
    {
      name: 'read',
      tools: ['Read'],
      groupBy: /** @type {const} */ ('path'),
      pathKeys: ['file_path'],
      placeholder: '[x]',
    },
  ];
  fc.assert(
    fc.property(steps(60), (plan) => {
      const view = new ContextView({
        price: 'none',
        outdatedBy: 'nothing',
        orphans: 'remove',
        rules,
      });
      /** @type {any[]} */
      let sent = [];
      play(plan, (stored, now) => {
        ({ messages: sent } = view.project(stored, { now }));
        const expected = prepareMessages(stored, { now, unknownAge: 'keep', ...options, rules }).messages;
        assert.deepEqual(sent, expected);
      });
    }),
    RUNS,
  );
});

test('R10.7 an export is a list of facts as JSON: none where messages carry times, and one a request where they do not', () => {
  const timed = new ContextView();
  timed.project(session(3, 'timed'), { now: START });
  assert.deepEqual(timed.export(), []);
  const view = new ContextView();
  const messages = session(3, 'untimed').map(({ timestamp: _, ...message }) => message);
  view.project(messages, { now: START });
  view.project(messages, { now: START + 1000 });
  const facts = view.export();
  assert.deepEqual(
    facts.map((fact) => ({ ...fact, mark: 0 })),
    [0, 1000].map((after) => ({ type: 'request', length: messages.length, mark: 0, sentMs: START + after })),
  );
  assert.deepEqual(ContextView.import(JSON.stringify(facts)).export(), facts);
});

test('R10.7 an import is refused that export() did not give', () => {
  const request = { type: 'request', length: 2, mark: 1, sentMs: START };
  const summary = { type: 'summary', system: 0, messages: [1], head: [] };
  for (const wrong of [
    [{ ...request, length: -1 }],
    [{ ...request, length: 1.5 }],
    [{ ...request, sentMs: null }],
    [{ ...request, mark: 'x' }],
    [request, { ...request, type: 'else' }],
    [{ ...summary, messages: 'x' }],
    [{ ...summary, system: 2 }],
    [{ ...summary, head: [null] }],
    [null],
    { version: 1 },
    null,
    7,
    'x',
    '{}',
  ]) {
    assert.throws(() => ContextView.import(/** @type {any} */ (wrong)), { code: 'ERR_BAD_STATE' }, String(wrong));
  }
  assert.equal(ContextView.import([/** @type {any} */ (request), /** @type {any} */ (summary)]).export().length, 2);
});

/** @param {number} turns @param {string} name */
function session(turns, name) {
  /** @type {any[]} */
  const messages = [
    { role: 'system', content: `You are an agent. ${'Be careful. '.repeat(500)}` },
    { role: 'user', content: `Work on ${name}.`, timestamp: START },
  ];
  for (let turn = 0; turn < turns; turn++) {
    const id = `${name}_${turn}`;
    messages.push(
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id, type: 'function', function: { name: 'bash', arguments: '{"command":"ls"}' } }],
      },
      { role: 'tool', tool_call_id: id, content: `out ${id} `.repeat(300), timestamp: START + turn * 1000 },
    );
  }
  return messages;
}

const HOUR = 3_600_000;

/** The last result came after a pause that no cache outlives. @param {any[]} messages */
function withPause(messages) {
  return messages.with(-1, { ...messages.at(-1), timestamp: START + HOUR });
}

/** The whole conversation after a pause. @param {any} view @param {any[]} messages */
function afterPause(view, messages) {
  view.project(messages.slice(0, -2));
  return view.project(messages);
}

/** The collector, also where Node was started without it. */
function exposedGc() {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc');
}

describe('the host goes another way', () => {
  const all = withPause(session(20, 'a'));
  const AGED = /** @type {const} */ ({ outdatedBy: 'age', price: 'anthropic' });
  /** @param {any} [options] */
  const flushed = (options) => {
    const view = new ContextView({ outdatedBy: 'age', price: 'anthropic', ...options });
    const { report } = afterPause(view, all);
    assert.equal(report.changed, 15);
    return view;
  };

  test('an edit in place of a replaced result is sent, wherever it stands', () => {
    const view = new ContextView({ outdatedBy: 'age', price: 'anthropic' });
    const messages = structuredClone(all);
    afterPause(view, messages);
    messages[3].content = 'Error: it went wrong';
    const { messages: sent } = view.project(messages, { now: START + HOUR + 1000 });
    assert.equal(sent[3], messages[3]);
  });

  test('a field beside the content that is edited in place comes along', () => {
    const view = new ContextView({ outdatedBy: 'age', price: 'anthropic' });
    const messages = structuredClone(all);
    afterPause(view, messages);
    messages[3].cache_control = { type: 'ephemeral' };
    const { messages: sent } = view.project(messages, { now: START + HOUR + 1000 });
    assert.deepEqual(sent[3]?.cache_control, { type: 'ephemeral' });
    assert.notEqual(sent[3]?.content, messages[3].content);
  });

  test('an edit that nothing points to is read before anything is replaced', () => {
    const view = new ContextView({ outdatedBy: 'age', price: 'anthropic' });
    const messages = structuredClone(all);
    assert.equal(view.project(messages.slice(0, -2)).report.changed, 0);
    messages[3].messageStatus = 'error';
    const { messages: sent, report } = view.project(messages, { now: START + HOUR });
    assert.equal(sent[3], messages[3]);
    assert.equal(report.changed, 14);
  });

  /** Another way from an earlier message on. */
  const rewound = [...all.slice(0, 14), { role: 'user', content: 'Do it otherwise.' }];

  test('R10.15 an earlier part gets what was sent when it was all there was, and changes nothing', () => {
    const [view, other] = [flushed(), flushed()];
    const { messages } = view.project(all.slice(0, 14), { now: START + HOUR + 2000 });
    assert.deepEqual(messages, all.slice(0, 14), 'nothing was outdated then');
    const further = [...all, { role: 'assistant', content: 'ok' }, { role: 'user', content: 'And now?' }];
    assert.deepEqual(
      view.project(further, { now: START + 3 * HOUR }).messages,
      other.project(further, { now: START + 3 * HOUR }).messages,
    );
  });

  for (const [what, again] of /** @type {[string, (view: any) => any][]} */ ([
    ['goes on', (view) => view],
    ['is exported', (view) => view.export() && view],
    ['is imported', (view) => ContextView.import(view.export(), view.options ?? AGED)],
  ])) {
    test(`R10.7 what was edited where it stands before the view ${what} is sent as it is`, () => {
      const view = new ContextView({ outdatedBy: 'age', price: 'anthropic' });
      const messages = structuredClone(all);
      afterPause(view, messages);
      messages[3].content = 'Error: it went wrong';
      const { messages: sent, report } = again(view).project(messages, { now: START + HOUR + 1000 });
      assert.equal(sent[3], messages[3]);
      assert.equal(report.changed, 14);
    });

    test(`R10.7 a result without a time that was edited before the view ${what} is as old as the request that had it`, () => {
      const options = /** @type {const} */ ({ price: 'none', outdatedBy: 'age' });
      const messages = session(20, 'untimed').map(({ timestamp: _, ...message }) => message);
      const view = new ContextView(options);
      view.project(messages.slice(0, -2), { now: START });
      const knowing = ContextView.import(view.export(), options);
      messages[3].content = `new output ${'word '.repeat(300)}`;
      const { messages: sent, report } = again(view).project(messages, { now: START + HOUR });
      assert.equal(report.changed, 15);
      assert.deepEqual(sent, knowing.project(structuredClone(messages), { now: START + HOUR }).messages);
    });

    test(`R10.7 after a rewind before the view ${what} a result that is among the newest again is sent in full`, () => {
      const { messages } = again(flushed()).project(rewound, { now: START + HOUR + 1000 });
      assert.deepEqual(messages.slice(4), rewound.slice(4));
    });
  }

  test('a clone of what was sent costs nothing and changes no byte', () => {
    const view = flushed();
    const before = JSON.stringify(view.project(all, { now: START + HOUR + 1000 }).messages);
    const { messages } = view.project(structuredClone(all), { now: START + HOUR + 2000 });
    assert.equal(JSON.stringify(messages), before);
    assert.ok(view.plan({ now: START + HOUR + 3000 }).cachedTokens > 1024);
  });
});

describe('interrupted calls', () => {
  const call = (/** @type {string} */ id) => ({
    role: 'assistant',
    content: '',
    tool_calls: [{ id, type: 'function', function: { name: 'bash', arguments: '{}' } }],
  });

  test('R11.4 the calls of the turn in progress are left alone until someone else speaks', () => {
    const view = new ContextView();
    const begun = [{ role: 'user', content: 'go' }, call('a')];
    assert.deepEqual(view.project(begun).messages, begun);
    const { messages } = view.project([...begun, { role: 'user', content: 'stop' }]);
    assert.deepEqual(
      messages.map(({ role }) => role),
      ['user', 'assistant', 'tool', 'user'],
    );
    const again = view.project([...begun, { role: 'user', content: 'stop' }, { role: 'assistant', content: 'ok' }]);
    assert.equal(again.messages[2], messages[2], 'the same answer from then on');
  });
});

test('a result without a call that is edited where it stands weighs nothing, as before', () => {
  const view = new ContextView({ price: 'none', outdatedBy: 'age' });
  const ask = { role: 'user', content: 'Go on. '.repeat(50) };
  const messages = [
    ask,
    { role: 'assistant', content: [{ type: 'tool_use', id: 'here', name: 'Bash', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'here', content: 'ok' }] },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'gone', content: 'long output '.repeat(400) },
        { type: 'text', text: 'And now this. '.repeat(40) },
      ],
    },
  ];
  view.project(messages, { now: START });
  const { totalTokens } = view.plan({ now: START });
  const edited = structuredClone(messages);
  /** @type {any} */ (edited[3]).content[0].content = 'short';
  view.project(edited, { now: START + 1000 });
  assert.ok(Math.abs(view.plan({ now: START + 1000 }).totalTokens - totalTokens) < 1);
});

describe('R10.6 the provider knows better', () => {
  const big = session(40, 'b');
  for (const [provider, usage] of /** @type {[string, object][]} */ ([
    ['Anthropic', { input_tokens: 90_000, cache_read_input_tokens: 0, cache_creation_input_tokens: 10 }],
    ['OpenAI', { prompt_tokens: 90_000, prompt_tokens_details: { cached_tokens: 0 } }],
    ['OpenAI responses', { input_tokens: 90_000, input_tokens_details: { cached_tokens: 0 } }],
    ['DeepSeek', { prompt_cache_hit_tokens: 0, prompt_cache_miss_tokens: 90_000 }],
    ['Gemini', { promptTokenCount: 90_000, cachedContentTokenCount: 0 }],
  ])) {
    test(`R10.13 ${provider}: what a report says is on the bill, and decides nothing`, () => {
      const [view, unheard] = [0, 1].map(() => {
        const view = new ContextView({ outdatedBy: 'age', price: 'anthropic-1h', maxExtraCost: 0 });
        view.project(big.slice(0, -2), { now: START + 60_000 });
        view.project(big, { now: START + 14 * 60_000 });
        return view;
      });
      const plan = view?.plan({ now: START + 14 * 60_000 });
      view?.observe(usage);
      assert.ok(
        Number(view?.ledger().cost) > Number(unheard?.ledger().cost),
        'the prefix was lost, and paid for again',
      );
      const { cost: _, costLeftAlone: __, ...decided } = /** @type {any} */ (view).plan({ now: START + 14 * 60_000 });
      assert.deepEqual({ ...plan, ...decided }, plan);
    });
  }

  test('a report on the host’s own message is found, and counted once', () => {
    const [one, two] = [new ContextView({ price: 'openai' }), new ContextView({ price: 'openai' })];
    const usage = { prompt_tokens: 90_000, prompt_tokens_details: { cached_tokens: 0 } };
    const answered = [...big, { role: 'assistant', content: 'done', usage }];
    for (const view of [one, two]) {
      view.project(big.slice(0, -2), { now: START });
      view.project(big, { now: START + 1000 });
    }
    one.observe(usage);
    for (const view of [one, two]) view.project(answered, { now: START + 2000 });
    assert.deepEqual(two.ledger(), one.ledger());
  });
});

describe('ContextViews', () => {
  test('interleaved conversations get what each would get alone', () => {
    fc.assert(
      fc.property(fc.array(turnsOnly(20), { minLength: 2, maxLength: 4 }), (plans) => {
        const views = new ContextViews({ price: 'anthropic' });
        /** @type {[any[], number][][]} */
        const requests = plans.map((plan, index) => {
          /** @type {[any[], number][]} */
          const sent = [];
          play(plan, (stored, now) => {
            const own = stored.map((message, at) => (at === 1 ? { ...message, content: `Begin ${index}.` } : message));
            sent.push([own, now]);
          });
          return sent;
        });
        const alone = plans.map(() => new ContextView({ price: 'anthropic' }));
        for (let at = 0; at < 20; at++) {
          requests.forEach((sent, index) => {
            const request = sent[at];
            if (request === undefined) return;
            const [stored, now] = request;
            const expected = alone[index]?.project(stored, { now }).messages;
            assert.deepEqual(views.project(stored, { now }).messages, expected);
          });
        }
        assert.equal(views.size, plans.length);
      }),
      { numRuns: 30 },
    );
  });

  test('the conversation that was asked for least lately is forgotten', () => {
    const views = new ContextViews({ maxViews: 8 });
    for (let index = 0; index < 100; index++) views.project(session(2, `s${index}`), { now: START });
    assert.equal(views.size, 8);
  });
});

describe('R10.8 breakpoints', () => {
  test('behind the system prompt, before what may still change, at the end, and never more than four', () => {
    const view = new ContextView({ outdatedBy: 'age', price: 'anthropic' });
    const messages = session(30, 'marks');
    view.project(messages, { now: START + HOUR });
    const marks = view.breakpoints();
    assert.ok(marks.length <= 4);
    assert.equal(marks[0], 0);
    assert.equal(marks.at(-1), messages.length - 1);
    assert.deepEqual(new ContextView().breakpoints(), []);
  });
});

describe('what nobody holds any more', () => {
  test('R10.1 the messages of a forgotten conversation are collected, and those of one that goes on stay', async () => {
    const collect = /** @type {() => void} */ (globalThis.gc ?? exposedGc());
    const views = new ContextViews({ price: 'anthropic', maxViews: 2 });
    const project = (/** @type {string} */ name) => {
      const messages = session(20, name);
      views.project(messages, { now: START });
      views.project(messages, { now: START + HOUR });
      return new WeakRef(/** @type {object} */ (messages[3]));
    };
    const [first, second, third] = ['x', 'y', 'z'].map(project);
    for (let turn = 0; turn < 20 && first?.deref() !== undefined; turn++) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      collect();
    }
    assert.equal(first?.deref(), undefined);
    assert.ok(second?.deref() !== undefined && third?.deref() !== undefined);
    assert.equal(views.size, 2);
  });
});

test('R10.12 without a cache a view that was asked for its ledger sends what one sends that was not', () => {
  const [asked, unasked] = [0, 1].map(
    () =>
      new ContextView({ price: 'none', outdatedBy: 'age', terminal: { keepRecent: 0, maxAgeMs: 0, placeholder: '-' } }),
  );
  const call = (/** @type {string} */ id) => ({ id, function: { name: 'bash', arguments: '{"command":"ls"}' } });
  // One token each way, of four bytes and of one.
  const round = (/** @type {number} */ at) => [
    { role: 'assistant', content: '', tool_calls: [call(`c${at}`)], timestamp: at * 1_000 },
    { role: 'tool', tool_call_id: `c${at}`, content: 'gone', timestamp: at * 1_000 + 500 },
    { role: 'assistant', content: 'so', timestamp: at * 1_000 + 700 },
  ];
  const now = 1e9;
  const first = [{ role: 'user', content: 'go', timestamp: 1 }, ...round(1)];
  for (const view of [asked, unasked]) view?.project(first, { now });
  asked?.ledger();
  const more = [...first, ...round(2)];
  assert.deepEqual(asked?.project(more, { now }).messages, unasked?.project(more, { now }).messages);
  assert.equal(unasked?.project(more, { now }).messages[2]?.content, '-');
});
