// @ts-check
/** Claude Code 2.1 and other agents put system messages after results and user messages. Each rule decides as without them. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ContextView, prepareMessages, simplifyOutdatedTerminalResults } from 'palimpsest';
import { callsOf, resultOf, userMessage } from '../support/histories.mjs';
import { withoutOrphans } from '../support/old-results.mjs';

/** @typedef {any} Message */
const OUTPUT = 'The outdated output of a command. '.repeat(10);
const STEPS = 9;

const reminder = { role: 'system', content: 'The agents are: a, b.' };
const reminderBlocks = { role: 'system', content: [{ type: 'text', text: 'The skills are: c.' }] };
const developer = { role: 'developer', content: 'Be brief.' };

/** @type {Record<string, { call: (...ids: string[]) => Message, result: (id: string) => Message }>} */
const FORMS = {
  chat: {
    call: callsOf,
    result: (id) => resultOf(id, OUTPUT),
  },
  anthropic: {
    call: (...ids) => ({
      role: 'assistant',
      content: ids.map((id) => ({ type: 'tool_use', id, name: 'bash', input: { command: 'ls' } })),
    }),
    result: (id) => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: OUTPUT }] }),
  },
};

/** Puts `system` after each user message and result, as Claude Code does. @param {Message[]} messages @param {Message} system */
const withSystem = (messages, system) =>
  messages.flatMap((message) => (message.role === 'assistant' ? [message] : [message, system]));
const withoutSystem = (/** @type {readonly Message[]} */ messages) =>
  messages.filter(({ role }) => role !== 'system' && role !== 'developer');

for (const [form, { call, result }] of Object.entries(FORMS)) {
  const session = [
    userMessage('Go on'),
    ...Array.from({ length: STEPS }, (_, step) => [call(`c${step}`), result(`c${step}`)]).flat(),
  ];
  const systems =
    form === 'chat' ? { system: reminder, developer } : { system: reminder, 'system blocks': reminderBlocks };

  for (const [kind, system] of Object.entries(systems)) {
    describe(`${form} with ${kind} messages in the conversation`, () => {
      const messages = withSystem(session, system);
      test('R3.1 each call keeps its result', () => {
        assert.deepEqual(withoutOrphans(messages), messages);
        assert.deepEqual(prepareMessages(messages, { orphans: 'answer', terminal: false }).messages, messages);
      });

      test('R1.2 the same results are replaced as without them', () => {
        const options = /** @type {Message} */ ({ unknownAge: 'old', terminal: { keepRecent: 3 } });
        const given = [...messages, { role: 'assistant', content: 'Done.' }, system];
        const { messages: sent, report } = prepareMessages(given, options);
        const plain = prepareMessages(withoutSystem(given), options);
        assert.equal(report.changed, STEPS - 3);
        assert.deepEqual(withoutSystem(sent), plain.messages);
        assert.equal(sent.filter((message) => message === system).length, given.length - plain.messages.length);
        const api = [...given];
        assert.equal(simplifyOutdatedTerminalResults(api, options.terminal).changed, 0, 'no times, as without them');
      });

      test('R1.0 a result stays if only a system message follows it', () => {
        const options = /** @type {Message} */ ({ unknownAge: 'old', terminal: { keepRecent: 0 } });
        assert.equal(prepareMessages(messages, options).report.changed, STEPS - 1);
        assert.equal(
          prepareMessages([...messages, { role: 'assistant', content: 'x' }], options).report.changed,
          STEPS,
        );
      });

      test('R11.4 a view does not answer calls of the turn in progress', () => {
        const view = () => new ContextView(/** @type {Message} */ ({ price: 'none', outdatedBy: 'nothing' }));
        const running = [...messages, call('x', 'y'), result('x'), system];
        assert.deepEqual(view().project(running).messages, running);
        const unanswered = [...messages, call('x', 'y'), system];
        assert.deepEqual(view().project(unanswered).messages, unanswered);
        const ended = [...running, userMessage('Stop')];
        assert.equal(view().project(ended).report.byRule.orphans?.changed, 1, 'a user message ends the turn');
      });

      test('R11.4 orphans are removed or answered as without them', () => {
        const broken = [...messages, call('x', 'y'), result('x'), system, userMessage('Stop'), system];
        assert.deepEqual(withoutSystem(withoutOrphans(broken)), withoutOrphans(withoutSystem(broken)));
        const { messages: sent } = prepareMessages(broken, { orphans: 'answer' });
        assert.deepEqual(withoutSystem(sent), prepareMessages(withoutSystem(broken), { orphans: 'answer' }).messages);
        const strays = [userMessage('a'), system, result('nobody'), system];
        assert.deepEqual(withoutSystem(withoutOrphans(strays)), [userMessage('a')]);
      });

      test('R3.1 one of two results of a call stays', () => {
        const twice = [userMessage('a'), call('x'), result('x'), system, result('x'), userMessage('b')];
        assert.equal(withoutSystem(withoutOrphans(twice)).length, 4);
      });
    });
  }
}

test('R11.4 a system message between a call and its result keeps them a pair, and other calls are answered next to the result', () => {
  const { call, result } = /** @type {Message} */ (FORMS.anthropic);
  const messages = [userMessage('a'), call('x', 'y'), reminder, result('x'), userMessage('b')];
  assert.deepEqual(withoutOrphans([userMessage('a'), call('x'), reminder, result('x'), userMessage('b')]).length, 5);
  const { messages: sent } = prepareMessages(messages, { orphans: 'answer' });
  const ids = sent.map((/** @type {Message} */ { content }) =>
    Array.isArray(content) ? content.map((block) => block.tool_use_id ?? block.id) : [],
  );
  assert.deepEqual(ids, [[], ['x', 'y'], [], ['x', 'y'], []]);
  const answered = prepareMessages([userMessage('a'), call('x'), reminder, userMessage('b')], {
    orphans: 'answer',
  }).messages;
  assert.deepEqual(
    answered.map(({ role }) => role),
    ['user', 'assistant', 'user', 'system', 'user'],
  );
});

test('R11.4 a system message whose role is edited to `user` ends the turn', () => {
  const { call, result } = /** @type {Message} */ (FORMS.chat);
  const system = { ...reminder };
  const messages = [userMessage('a'), call('x'), system, { ...result('x'), tool_call_id: undefined }, userMessage('b')];
  assert.equal(prepareMessages(messages).messages.length, 5, 'it may belong to the call');
  system.role = 'user';
  assert.equal(prepareMessages(messages).messages.length, 4, 'the user message ends the turn');
});
