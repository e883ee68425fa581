// @ts-check
/** The option `repeated`: lines of a result that an earlier message of the request has are replaced by a reference. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ContextView } from 'palimpsest';
import { runs } from '../support/comparison.mjs';
import { exchange, MINUTE, START } from '../support/histories.mjs';
import { problemsIn } from '../support/providers/openai-chat.mjs';

const REFERENCE = /^\[lines \d+–\d+ as (?:\d+–\d+ )?in .+\]$/;

/** @param {string} name @param {number} from @param {number} to */
function lines(name, from, to) {
  return Array.from(
    { length: to - from },
    (_, nth) => `  const ${name}_${from + nth} = compute(seed, ${from + nth}); // a line of ${name}`,
  );
}

/** @param {readonly string[]} all @param {number} [first] the number of the first line */
const numbered = (all, first = 1) => all.map((line, nth) => `${String(first + nth).padStart(6)}→${line}`).join('\n');

/** A call and its result at one time. @param {string} id @param {string} name @param {object} input @param {string} content @param {number} timestamp */
const exchangeAt = (id, name, input, content, timestamp) =>
  exchange(id, name, input, content).map((message) => ({ ...message, timestamp }));

/** Calls with their results, a minute apart. @param {readonly [string, object, string][]} calls */
function conversation(calls) {
  /** @type {any[]} */ const messages = [
    { role: 'user', content: `Look at it. ${'The words of a long task. '.repeat(400)}`, timestamp: START },
  ];
  calls.forEach(([name, input, content], nth) => {
    messages.push(...exchangeAt(`c${nth}`, name, input, content, START + (nth + 1) * MINUTE));
  });
  return messages;
}

/** The last request of a conversation of which every request is sent. @param {any[]} messages @param {any} [options] */
function lastRequest(messages, options = {}) {
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

describe('references to earlier lines', () => {
  test('a second read is replaced by a reference to the first one, which stays', () => {
    const { messages, report } = lastRequest(conversation([READ, ['Bash', { command: 'ls' }, 'a.ts'], READ]));
    assert.equal(messages.at(-1).content, '[lines 1–60 as in #1 Read src/a.ts]');
    assert.equal(messages[2].content, READ[2]);
    assert.deepEqual([report.changed, report.byRule.repeated?.changed], [1, 1]);
    assert.ok((report.byRule.repeated?.estimatedTokensSaved ?? 0) > 500);
  });

  test('a read after an edit has only the lines that differ', () => {
    const edited = [...FILE.slice(0, 20), '  inserted();', ...FILE.slice(20)];
    const { messages } = lastRequest(
      conversation([READ, ['Edit', { path: 'src/a.ts' }, 'Done.'], ['Read', { path: 'src/a.ts' }, numbered(edited)]]),
    );
    assert.equal(
      messages.at(-1).content,
      '[lines 1–20 as in #1 Read src/a.ts]\n    21→  inserted();\n[lines 22–61 as 21–60 in #1 Read src/a.ts]',
    );
  });

  test('a read of a file that a call has written refers to that call', () => {
    const content = FILE.join('\n');
    const { messages } = lastRequest(conversation([['Write', { path: 'src/a.ts', content }, 'Done.'], READ]));
    assert.equal(messages.at(-1).content, '[lines 1–60 as in your call Write src/a.ts]');
  });

  test('`repeated: false`, `outdatedBy: "nothing"`, `keepTools`, `protect` and `pin` keep the result whole', () => {
    const messages = conversation([READ, READ]);
    for (const options of [
      { repeated: false },
      { outdatedBy: 'nothing' },
      { keepTools: ['Read'] },
      { protect: () => true },
      { pin: ['c1'] },
    ]) {
      assert.equal(lastRequest(messages, options).messages.at(-1).content, READ[2], JSON.stringify(options));
    }
    assert.match(lastRequest(messages, { outdatedBy: 'nothing', repeated: true }).messages.at(-1).content, REFERENCE);
  });

  test('a failed result is sent whole', () => {
    const failed = `Error: the build failed\n${FILE.join('\n')}`;
    const messages = conversation([
      ['Bash', { command: 'make' }, failed],
      ['Bash', { command: 'make' }, failed],
    ]);
    assert.equal(lastRequest(messages).messages.at(-1).content, failed);
  });

  test('a result with an image is sent whole', () => {
    const messages = conversation([READ, READ, READ]);
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };
    messages[4].content = [{ type: 'text', text: READ[2] }, image];
    const { messages: sent } = lastRequest(messages);
    assert.deepEqual(sent[4], messages[4]);
    assert.match(sent[6].content, REFERENCE);
  });

  test('a reference is in Chinese if the user writes Chinese', () => {
    const messages = conversation([READ, READ]);
    messages[0].content = '请看一下这个文件，然后告诉我有什么问题。'.repeat(100);
    assert.equal(lastRequest(messages).messages.at(-1).content, '[第 1–60 行同 #1 Read src/a.ts]');
  });

  test('a result stays until every result that refers to it is outdated', () => {
    const others = lines('other', 0, 40).map(
      (line, nth) => /** @type {[string, object, string]} */ (['Bash', { command: `run ${nth}` }, line]),
    );
    const messages = conversation([READ, ...others.slice(0, 8), READ, ...others.slice(8, 12)]);
    messages.push({ role: 'user', content: 'And now?', timestamp: START + 600 * MINUTE });
    const ages = { fileRead: 9 };
    const { messages: sent } = lastRequest(messages, { ages });
    assert.equal(sent[2].content, READ[2], 'the first read is outdated by its age, and the second one refers to it');
    const later = [
      ...messages,
      ...conversation(others.slice(12, 24))
        .slice(1)
        .map((message) => ({ ...message, timestamp: message.timestamp + 600 * MINUTE })),
    ];
    later.push({ role: 'user', content: 'And now?', timestamp: START + 6_000 * MINUTE });
    const { messages: cold } = lastRequest(later, { ages });
    assert.match(cold[2].content, /^\[#1 removed/);
    // It names the result that had its lines, whose placeholder says how to retrieve them.
    assert.equal(cold[20].content, '[lines 1–60 as in #1 Read src/a.ts]');
  });

  test('a result is sent whole again once a compaction has removed the lines that it referred to', () => {
    const messages = conversation([READ, READ]);
    assert.match(lastRequest(messages).messages.at(-1).content, REFERENCE);
    const kept = [messages[0], ...messages.slice(3)];
    assert.equal(lastRequest(kept).messages.at(-1).content, READ[2]);
  });

  test('lookupTool returns the whole result for a reference', async () => {
    const { view } = lastRequest(conversation([READ, READ]));
    const tool = view.lookupTool();
    for (const id of ['#1', '#2']) assert.match(String(await tool.handler({ id })), /const a_59 = compute/);
  });

  test('results of Anthropic and Responses are replaced by references, too', () => {
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
      const sent = JSON.stringify(view.project(messages, { now: START + MINUTE }).messages.at(-1));
      assert.ok(sent.includes('[lines 1–60 as in #1 Read src/a.ts]') && !sent.includes('a_30'), sent);
    }
  });
});

/** A step of a session that reads, writes and edits three files, pauses and rewinds. */
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
    now += MINUTE / 2;
    const fileLines = /** @type {string[]} */ (files[file]);
    const id = `c${nth++}`;
    const input = { path: `src/${'abc'[file]}.ts` };
    if (kind === 'pause') now += minutes * MINUTE;
    else if (kind === 'say')
      messages.push(
        { role: 'assistant', content: 'Done.', timestamp: now },
        { role: 'user', content: `Go on, ${nth}.`, timestamp: now },
      );
    else if (kind === 'rewind') messages = messages.slice(0, Math.max(1, messages.length - 2 * steps));
    else if (kind === 'edit') {
      fileLines.splice(at, 1, `  const changed_${nth} = compute(seed, ${nth}); // another line`);
      messages.push(...exchangeAt(id, 'Edit', input, 'Done.', now));
    } else if (kind === 'write')
      messages.push(...exchangeAt(id, 'Write', { ...input, content: fileLines.join('\n') }, 'Done.', now));
    else {
      const part = fileLines.slice(from, from + count);
      const text = isNumbered ? numbered(part, from + 1) : part.join('\n');
      messages.push(...exchangeAt(id, 'Read', input, text, now));
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

test('R10.12 a new view sends the same bytes, the lines of each reference are sent, and strict providers accept it', () => {
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
          const sentText = JSON.stringify(
            sent.map(({ content, tool_calls }) => [
              content,
              tool_calls?.map((/** @type {any} */ one) => one.function.arguments),
            ]),
          );
          sent.forEach((/** @type {any} */ message, /** @type {number} */ index) => {
            if (message.role !== 'tool' || !message.content.includes('[lines ')) return;
            // An outdated reference is shorter than a placeholder; the placeholder of its source says how to retrieve the lines.
            if (message.content.startsWith('[lines ') && isRemoved(sent, message.content)) return;
            for (const line of messages[index].content.split('\n')) {
              const own = line.replace(/^ *\d+→/, '');
              assert.ok(sentText.includes(JSON.stringify(own).slice(1, -1)), `${own} of result ${index} is nowhere`);
            }
          });
        });
      },
    ),
    runs(1),
  );
});
