// @ts-check
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ContextView } from 'palimpsest';
import { runs } from '../support/comparison.mjs';
import { problemsIn } from '../support/providers/openai-chat.mjs';

const START = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;
const REFERENCE = /^\[lines (\d+)–(\d+) as (?:(\d+)–(\d+) )?in (.+)\]$/;

/** @param {string} name @param {number} from @param {number} to */
function lines(name, from, to) {
  return Array.from(
    { length: to - from },
    (_, nth) => `  const ${name}_${from + nth} = compute(seed, ${from + nth}); // a line of ${name}`,
  );
}

/** @param {readonly string[]} all @param {number} [first] the number of the first line */
const numbered = (all, first = 1) => all.map((line, nth) => `${String(first + nth).padStart(6)}→${line}`).join('\n');

/** @param {string} id @param {string} name @param {object} given @param {number} timestamp */
const call = (id, name, given, timestamp) => ({
  role: 'assistant',
  content: '',
  tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(given) } }],
  timestamp,
});
/** @param {string} id @param {string} content @param {number} timestamp */
const result = (id, content, timestamp) => ({ role: 'tool', tool_call_id: id, content, timestamp });

/** Calls of one tool after the other, a minute apart. @param {readonly [string, object, string][]} calls */
function conversation(calls) {
  /** @type {any[]} */ const messages = [
    { role: 'user', content: `Look at it. ${'The words of a long task. '.repeat(400)}`, timestamp: START },
  ];
  calls.forEach(([name, given, content], nth) => {
    const at = START + (nth + 1) * MINUTE_MS;
    messages.push(call(`c${nth}`, name, given, at), result(`c${nth}`, content, at));
  });
  return messages;
}

/** The newest result after one request for each. @param {any[]} messages @param {any} [options] */
function played(messages, options = {}) {
  const view = new ContextView({ price: 'anthropic', ...options });
  /** @type {any} */ let sent;
  for (let end = 1; end <= messages.length; end++) {
    if (messages[end - 1].role !== 'assistant')
      sent = view.project(messages.slice(0, end), { now: messages[end - 1].timestamp });
  }
  return { view, messages: sent.messages, report: sent.report };
}

const FILE = lines('a', 0, 60);
/** @type {[string, object, string]} */ const READ = ['Read', { path: 'src/a.ts' }, numbered(FILE)];

describe('issue 37 what the prompt already holds is not sent again', () => {
  test('a second read is a line that says where the first one is, and the first one stays', () => {
    const { messages, report } = played(conversation([READ, ['Bash', { command: 'ls' }, 'a.ts'], READ]));
    assert.equal(messages.at(-1).content, '[lines 1–60 as in #1 Read src/a.ts]');
    assert.equal(messages[2].content, READ[2]);
    assert.deepEqual([report.changed, report.byRule.repeated?.changed], [1, 1]);
    assert.ok((report.byRule.repeated?.estimatedTokensSaved ?? 0) > 500);
  });

  test('a read after an edit says the lines that differ', () => {
    const edited = [...FILE.slice(0, 20), '  inserted();', ...FILE.slice(20)];
    const { messages } = played(
      conversation([READ, ['Edit', { path: 'src/a.ts' }, 'Done.'], ['Read', { path: 'src/a.ts' }, numbered(edited)]]),
    );
    assert.equal(
      messages.at(-1).content,
      '[lines 1–20 as in #1 Read src/a.ts]\n    21→  inserted();\n[lines 22–61 as 21–60 in #1 Read src/a.ts]',
    );
  });

  test('what a call has written is not read back whole', () => {
    const content = FILE.join('\n');
    const { messages } = played(conversation([['Write', { path: 'src/a.ts', content }, 'Done.'], READ]));
    assert.equal(messages.at(-1).content, '[lines 1–60 as in your call Write src/a.ts]');
  });

  test('`repeated: false`, `outdatedBy: "nothing"`, a kept tool and a protected result send it whole', () => {
    const messages = conversation([READ, READ]);
    for (const options of [
      { repeated: false },
      { outdatedBy: 'nothing' },
      { keepTools: ['Read'] },
      { protect: () => true },
      { pin: ['c1'] },
    ]) {
      assert.equal(played(messages, options).messages.at(-1).content, READ[2], JSON.stringify(options));
    }
    assert.match(played(messages, { outdatedBy: 'nothing', repeated: true }).messages.at(-1).content, REFERENCE);
  });

  test('an error and a result with an image are sent whole', () => {
    const failed = `Error: the build failed\n${FILE.join('\n')}`;
    const messages = conversation([
      ['Bash', { command: 'make' }, failed],
      ['Bash', { command: 'make' }, failed],
    ]);
    assert.equal(played(messages).messages.at(-1).content, failed);
  });

  test('a user who speaks Chinese gets a Chinese reference', () => {
    const messages = conversation([READ, READ]);
    messages[0].content = '请看一下这个文件，然后告诉我有什么问题。'.repeat(100);
    assert.equal(played(messages).messages.at(-1).content, '[第 1–60 行同 #1 Read src/a.ts]');
  });

  test('what is referred to stays as long as one result that refers to it is not outdated', () => {
    const others = lines('other', 0, 40).map(
      (line, nth) => /** @type {[string, object, string]} */ (['Bash', { command: `run ${nth}` }, line]),
    );
    const messages = conversation([READ, ...others.slice(0, 8), READ, ...others.slice(8, 12)]);
    messages.push({ role: 'user', content: 'And now?', timestamp: START + 600 * MINUTE_MS });
    const ages = { fileRead: 9 };
    const { messages: sent } = played(messages, { ages });
    assert.equal(sent[2].content, READ[2], 'the first read is outdated by its age, and the second one refers to it');
    const later = [
      ...messages,
      ...conversation(others.slice(12, 24))
        .slice(1)
        .map((message) => ({ ...message, timestamp: message.timestamp + 600 * MINUTE_MS })),
    ];
    later.push({ role: 'user', content: 'And now?', timestamp: START + 6_000 * MINUTE_MS });
    const { messages: cold } = played(later, { ages });
    assert.match(cold[2].content, /^\[#1 removed/);
    // It says which result holds its lines, and that one says how to have them again.
    assert.equal(cold[20].content, '[lines 1–60 as in #1 Read src/a.ts]');
  });

  test('a compaction that takes the source away writes the lines out again', () => {
    const messages = conversation([READ, READ]);
    assert.match(played(messages).messages.at(-1).content, REFERENCE);
    const kept = [messages[0], ...messages.slice(3)];
    assert.equal(played(kept).messages.at(-1).content, READ[2]);
  });

  test('lookupTool gives back the whole result for a reference as for a placeholder', async () => {
    const { view } = played(conversation([READ, READ]));
    const tool = view.lookupTool();
    for (const id of ['#1', '#2']) assert.match(String(await tool.handler({ id })), /const a_59 = compute/);
  });

  test('it works in each dialect that holds a result as a text', () => {
    const text = READ[2];
    const words = 'The words of a long task. '.repeat(400);
    const input = { path: 'src/a.ts' };
    const anthropic = [
      { role: 'user', content: words },
      ...['t1', 't2'].flatMap((id) => [
        { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Read', input }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: [{ type: 'text', text }] }] },
      ]),
    ];
    const responses = [
      { role: 'user', content: words },
      ...['t1', 't2'].flatMap((call_id) => [
        { type: 'function_call', call_id, name: 'Read', arguments: JSON.stringify(input) },
        { type: 'function_call_output', call_id, output: text },
      ]),
    ];
    for (const messages of /** @type {any[][]} */ ([anthropic, responses])) {
      const view = new ContextView({ price: 'anthropic' });
      view.project(messages.slice(0, 3), { now: START });
      const sent = JSON.stringify(view.project(messages, { now: START + MINUTE_MS }).messages.at(-1));
      assert.ok(sent.includes('[lines 1–60 as in #1 Read src/a.ts]') && !sent.includes('a_30'), sent);
    }
  });
});

/** A session: parts of three files are read, written, changed, with pauses; some rewinds. */
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('read'),
      file: fc.nat(2),
      from: fc.nat(40),
      count: fc.integer({ min: 1, max: 60 }),
      isNumbered: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('edit'), file: fc.nat(2), at: fc.nat(90) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('write'), file: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pause'), minutes: fc.integer({ min: 1, max: 200 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('say') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rewind'), steps: fc.integer({ min: 1, max: 6 }) }) },
);

/** Calls `visit` with the messages of each request. @param {any[]} plan @param {(messages: any[], now: number) => void} visit */
function playSteps(plan, visit) {
  const files = ['a', 'b', 'c'].map((name) => lines(name, 0, 100));
  /** @type {any[]} */ let messages = [
    { role: 'user', content: `Go. ${'The words of a task. '.repeat(200)}`, timestamp: START },
  ];
  let now = START;
  let nth = 0;
  visit(messages.slice(), now);
  for (const { kind, file = 0, from = 0, count = 0, isNumbered, at = 0, minutes = 0, steps = 0 } of plan) {
    now += MINUTE_MS / 2;
    const held = /** @type {string[]} */ (files[file]);
    const id = `c${nth++}`;
    const given = { path: `src/${'abc'[file]}.ts` };
    if (kind === 'pause') now += minutes * MINUTE_MS;
    else if (kind === 'say')
      messages.push(
        { role: 'assistant', content: 'Done.', timestamp: now },
        { role: 'user', content: `Go on, ${nth}.`, timestamp: now },
      );
    else if (kind === 'rewind') messages = messages.slice(0, Math.max(1, messages.length - 2 * steps));
    else if (kind === 'edit') {
      held.splice(at, 1, `  const changed_${nth} = compute(seed, ${nth}); // another line`);
      messages.push(call(id, 'Edit', given, now), result(id, 'Done.', now));
    } else if (kind === 'write')
      messages.push(call(id, 'Write', { ...given, content: held.join('\n') }, now), result(id, 'Done.', now));
    else {
      const part = held.slice(from, from + count);
      messages.push(
        call(id, 'Read', given, now),
        result(id, isNumbered ? numbered(part, from + 1) : part.join('\n'), now),
      );
    }
    if (messages.at(-1).role === 'assistant') messages.pop();
    visit(messages.slice(), now);
  }
}

/** Whether the result that a reference names is removed. @param {any[]} sent @param {string} reference */
function isRemoved(sent, reference) {
  const handle = /in (#[\d.]+) /.exec(reference)?.[1];
  return (
    handle !== undefined &&
    sent.some(({ content }) => typeof content === 'string' && content.startsWith(`[${handle} removed`))
  );
}

test('issue 37 a new view sends the same bytes, no reference is without its lines, and strict providers accept it', () => {
  const ages = { fileRead: 6, editResult: 4 };
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 5, maxLength: 40 }),
      fc.constantFrom('anthropic', 'openai', 'deepseek', 'none'),
      (plan, price) => {
        const options = /** @type {any} */ ({ price, ages });
        const view = new ContextView(options);
        playSteps(plan, (messages, now) => {
          const before = JSON.stringify(messages);
          const sent = view.project(messages, { now }).messages;
          assert.equal(JSON.stringify(messages), before);
          assert.equal(
            JSON.stringify(new ContextView(options).project(messages, { now }).messages),
            JSON.stringify(sent),
          );
          assert.deepEqual(problemsIn(sent, { pendingTurn: true }), []);
          const all = JSON.stringify(
            sent.map(({ content, tool_calls }) => [
              content,
              tool_calls?.map((/** @type {any} */ one) => one.function.arguments),
            ]),
          );
          sent.forEach((/** @type {any} */ message, /** @type {number} */ index) => {
            if (message.role !== 'tool' || !message.content.includes('[lines ')) return;
            // An outdated reference is shorter than a placeholder, and the result that it names says how to have the lines again.
            if (message.content.startsWith('[lines ') && isRemoved(sent, message.content)) return;
            for (const line of messages[index].content.split('\n')) {
              const own = line.replace(/^ *\d+→/, '');
              assert.ok(all.includes(JSON.stringify(own).slice(1, -1)), `${own} of result ${index} is nowhere`);
            }
          });
        });
      },
    ),
    runs(1),
  );
});
