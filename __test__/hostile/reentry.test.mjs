// @ts-check
/** Calls into the package while another call is running: from getters of messages, from the logger, and after an exception. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { prepareMessages, setLogger, simplifyToolResults } from 'palimpsest';
import { Recorder, round } from '../support/histories.mjs';
import { plainView } from '../support/plain-view.mjs';

const NOW = 1_780_100_000_000;
const OPTIONS = {
  terminal: { keepRecent: 0, maxAgeMs: 0, placeholder: '-' },
  fileReads: {
    keepRecent: 0,
    projectRoot: '/home/me/app',
    readTools: ['filesystem-read', 'Filesystem-Read'],
    placeholder: '-',
  },
};

const turns = fc.array(round, { minLength: 1, maxLength: 8 });

/**
 * The messages of random turns. Results without a time get one: else their age would depend on the request at which
 * each of the compared views first saw them.
 * @param {any[]} randomTurns
 */
const messagesOf = (randomTurns) => {
  const recorder = new Recorder();
  const messages = randomTurns.flatMap((turn) => recorder.record(turn));
  for (const message of messages) {
    if (message?.role === 'tool' && !Number.isFinite(message.timestamp)) message.timestamp = recorder.now;
  }
  return messages;
};

/** What a new view sends, without a reentrant call. @param {readonly any[]} messages */
const expected = (messages) => plainView(OPTIONS).project(messages, { now: NOW }).messages;

/** `messages`, of which the one at `at` calls `callBack` once, when its role is read. */
function withCallback(/** @type {any[]} */ messages, /** @type {number} */ at, /** @type {() => void} */ callBack) {
  let isDone = false;
  return messages.map((message, index) => {
    if (index !== at || message === null || typeof message !== 'object') return message;
    return new Proxy(message, {
      get(target, key) {
        if (key === 'role' && !isDone) {
          isDone = true;
          callBack();
        }
        return Reflect.get(target, key);
      },
    });
  });
}

/** Copies without proxies, to compare. @param {readonly any[]} messages */
const plain = (messages) =>
  structuredClone(messages.map((message) => (message && typeof message === 'object' ? { ...message } : message)));

describe('R0.3 a view during whose project another project is called', () => {
  it('returns to both calls what each would get alone, if a getter of any message makes the second call', () => {
    const choice = fc.tuple(turns, turns, fc.nat(1_000), fc.nat(1_000), fc.boolean());
    fc.assert(
      fc.property(choice, ([outerTurns, innerTurns, at, knownCount, isPrefix]) => {
        const messages = messagesOf(outerTurns);
        const known = messages.slice(0, knownCount % (messages.length + 1));
        const innerMessages = isPrefix ? known : messagesOf(innerTurns);
        const view = plainView(OPTIONS);
        view.project(known, { now: NOW });
        /** @type {any} */
        let inner;
        const reentrant = withCallback(messages, at % messages.length, () => {
          inner = view.project(innerMessages, { now: NOW });
        });
        const outer = view.project(reentrant, { now: NOW });
        assert.deepEqual(plain(outer.messages), plain(expected(messages)));
        if (inner !== undefined) assert.deepEqual(inner.messages, expected(innerMessages));
        assert.deepEqual(view.project(messages, { now: NOW }).messages, expected(messages), 'a later call');
      }),
      { numRuns: 300 },
    );
  });

  it('returns to both calls what each would get alone, if the logger makes the second call', () => {
    const view = plainView(OPTIONS);
    fc.assert(
      fc.property(turns, turns, (outerTurns, innerTurns) => {
        const messages = messagesOf(outerTurns);
        const innerMessages = messagesOf(innerTurns);
        let depth = 0;
        /** @type {any[]} */
        const inner = [];
        const log = () => {
          if (depth > 0) return;
          depth += 1;
          inner.push(view.project(innerMessages, { now: NOW }).messages);
          depth -= 1;
        };
        setLogger({ debug: log, info: log, warn: log, error: log });
        try {
          assert.deepEqual(view.project(messages, { now: NOW }).messages, expected(messages));
        } finally {
          setLogger(null);
        }
        for (const sent of inner) assert.deepEqual(sent, expected(innerMessages));
      }),
      { numRuns: 100 },
    );
  });

  it('returns the right messages after a call that threw', () => {
    const messages = messagesOf(fc.sample(turns, { numRuns: 1, seed: 7 })[0] ?? []);
    const view = plainView(OPTIONS);
    const refusing = new Proxy(messages, {
      get(target, key) {
        if (key === String(messages.length - 1)) throw new Error('a getter');
        return Reflect.get(target, key);
      },
    });
    assert.throws(() => view.project(refusing, { now: NOW }));
    assert.deepEqual(view.project(messages, { now: NOW }).messages, expected(messages));
  });
});

describe('R0.4 each option is read once', () => {
  it('a rule whose getters change their value does not affect a later call with another rule of its name', () => {
    const messages = () => [
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'poison', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'kept', timestamp: NOW },
    ];
    for (const field of ['placeholder', 'maxAgeMs', 'keepRecent', 'tools', 'name']) {
      const honest = {
        name: 'honest',
        tools: ['other'],
        placeholder: `text of ${field}`,
        keepRecent: 3,
        maxAgeMs: 9e9,
      };
      const evil = { name: 'honest', tools: ['poison'], placeholder: 'poisoned', keepRecent: 0, maxAgeMs: 0 };
      let reads = 0;
      const changing = new Proxy(honest, {
        get: (target, key) => (reads++ > 17 ? Reflect.get(evil, key) : Reflect.get(target, key)),
      });
      simplifyToolResults(messages(), [changing], { now: NOW });
      const sent = messages();
      simplifyToolResults(sent, [{ ...honest }], { now: NOW + 1 });
      assert.equal(sent[1]?.content, 'kept', field);
    }
  });

  it('a call reads each option of a rule once', () => {
    /** @type {Record<string, number>} */
    const reads = {};
    /** @type {import('palimpsest').SimplificationRule} */
    const rule = { name: 'counted', tools: ['x'], placeholder: 'was {path}', groupBy: 'path', projectRoot: '/p' };
    const counted = new Proxy(rule, {
      get(target, key) {
        reads[String(key)] = (reads[String(key)] ?? 0) + 1;
        return Reflect.get(target, key);
      },
    });
    simplifyToolResults([], [counted], { now: NOW });
    prepareMessages([], { rules: [counted], now: NOW });
    assert.ok(
      Object.keys(rule).every((key) => reads[key] === 2),
      JSON.stringify(reads),
    );
  });
});

describe('the addon', () => {
  it('does not crash if the output buffer is detached during ConversationState.evaluate', () => {
    // In a child process, because the failure would be a crash.
    const script = `
      const native = require('./lib/native.js');
      const policy = new native.Policy({ orphans: 'remove', cwd: '/', windows: false, rules: [
        { preset: 'terminal', label: 'options', options: { keepRecent: 0, maxAgeMs: 0 } }] });
      const state = new native.ConversationState(policy);
      state.addName('terminal-execute');
      const text = '{"stdout":"' + 'x'.repeat(5_000_000) + '","stderr":"","exitCode":0}';
      const inbox = Float64Array.from([1e12, 0, 0, 0, 2, 0, 0, 1, NaN, -1, 1, 0, 0, 0, 2 | 8, 1, 0, 0]);
      let outbox = new Float64Array(1 << 16);
      let calls = 0;
      const tailOf = (value, units) => {
        calls += 1;
        if (outbox.length > 0) structuredClone(outbox.buffer, { transfer: [outbox.buffer] });
        for (let junk = 0; junk < 50; junk++) new Float64Array(1 << 16).fill(1);
        return value.slice(-units);
      };
      const needed = state.evaluate(inbox, [undefined, text], [undefined], tailOf, outbox);
      if (calls === 0) throw new Error('tailOf was not called');
      if (outbox.length !== 0) throw new Error('not detached');
      console.log(needed);
    `;
    const cwd = fileURLToPath(new URL('../..', import.meta.url));
    const { status, signal, stdout, stderr } = spawnSync(process.execPath, ['-e', script], { cwd, encoding: 'utf8' });
    assert.equal(signal, null);
    assert.equal(status, 0, stderr);
    assert.ok(Number(stdout) >= 3, stdout);
  });
});
