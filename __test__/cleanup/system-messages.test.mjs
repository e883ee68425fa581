// @ts-check
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ContextView, cleanOrphanedToolCalls, prepareMessages, simplifyOutdatedTerminalResults } from 'palimpsest';

/**
 * Claude Code 2.1 and others put system messages into the conversation, behind results or what the user says. Nobody else speaks
 * in them, so each rule does what it does without them.
 * @typedef {any} Odd
 */
const OUTPUT = 'The outdated output of a command. '.repeat(10);
const STEPS = 9;

const reminder = { role: 'system', content: 'The agents are: a, b.' };
const listed = { role: 'system', content: [{ type: 'text', text: 'The skills are: c.' }] };
const developer = { role: 'developer', content: 'Be brief.' };

/** @type {Record<string, { call: (...ids: string[]) => Odd, result: (id: string) => Odd, says: (text: string) => Odd }>} */
const FORMS = {
  chat: {
    call: (...ids) => ({
      role: 'assistant',
      content: '',
      tool_calls: ids.map((id) => ({ id, function: { name: 'bash', arguments: '{"command":"ls"}' } })),
    }),
    result: (id) => ({ role: 'tool', tool_call_id: id, content: OUTPUT }),
    says: (content) => ({ role: 'user', content }),
  },
  anthropic: {
    call: (...ids) => ({
      role: 'assistant',
      content: ids.map((id) => ({ type: 'tool_use', id, name: 'bash', input: { command: 'ls' } })),
    }),
    result: (id) => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: OUTPUT }] }),
    says: (content) => ({ role: 'user', content }),
  },
};

/** @param {Odd[]} messages @param {Odd} [system] where Claude Code has one: behind each message of the user's or a tool's */
const withSystem = (messages, system = reminder) =>
  messages.flatMap((message) => (message.role === 'assistant' ? [message] : [message, system]));
const without = (/** @type {readonly Odd[]} */ messages) =>
  messages.filter(({ role }) => role !== 'system' && role !== 'developer');

/** @param {readonly Odd[]} messages */
function cleaned(messages) {
  const api = [...messages];
  cleanOrphanedToolCalls(api);
  return api;
}

for (const [form, { call, result, says }] of Object.entries(FORMS)) {
  const session = [
    says('Go on'),
    ...Array.from({ length: STEPS }, (_, step) => [call(`c${step}`), result(`c${step}`)]).flat(),
  ];
  const systems = form === 'chat' ? [reminder, developer] : [reminder, listed];

  describe(`system messages in mid-conversation: ${form}`, () => {
    for (const [nth, system] of systems.entries()) {
      const messages = withSystem(session, system);
      test(`${nth}: pairing: every call keeps its result`, () => {
        assert.deepEqual(cleaned(messages), messages);
        assert.deepEqual(prepareMessages(messages, { orphans: 'answer', terminal: false }).messages, messages);
      });

      test(`${nth}: the newest: the same results are replaced as without them`, () => {
        const options = /** @type {Odd} */ ({ unknownAge: 'old', terminal: { keepRecent: 3 } });
        const given = [...messages, { role: 'assistant', content: 'Done.' }, system];
        const { messages: sent, report } = prepareMessages(given, options);
        const plain = prepareMessages(without(given), options);
        assert.equal(report.changed, STEPS - 3);
        assert.deepEqual(without(sent), plain.messages);
        assert.equal(sent.filter((message) => message === system).length, given.length - plain.messages.length);
        const api = [...given];
        assert.equal(simplifyOutdatedTerminalResults(api, options.terminal).changed, 0, 'no times, as without them');
      });

      test(`${nth}: answered rows: a result with nothing but a system message behind it is not answered`, () => {
        const options = /** @type {Odd} */ ({ unknownAge: 'old', terminal: { keepRecent: 0 } });
        assert.equal(prepareMessages(messages, options).report.changed, STEPS - 1);
        assert.equal(
          prepareMessages([...messages, { role: 'assistant', content: 'x' }], options).report.changed,
          STEPS,
        );
      });

      test(`${nth}: the turn in progress: its calls get no answer in a view`, () => {
        const view = () => new ContextView(/** @type {Odd} */ ({ price: 'none', outdatedBy: 'nothing' }));
        const running = [...messages, call('x', 'y'), result('x'), system];
        assert.deepEqual(view().project(running).messages, running);
        const asked = [...messages, call('x', 'y'), system];
        assert.deepEqual(view().project(asked).messages, asked);
        const spoken = [...running, says('Stop')];
        assert.equal(view().project(spoken).report.byRule.orphans?.changed, 1, 'the user has spoken');
      });

      test(`${nth}: orphans: they go or are answered as without them`, () => {
        const broken = [...messages, call('x', 'y'), result('x'), system, says('Stop'), system];
        assert.deepEqual(without(cleaned(broken)), cleaned(without(broken)));
        const { messages: sent } = prepareMessages(broken, { orphans: 'answer' });
        assert.deepEqual(without(sent), prepareMessages(without(broken), { orphans: 'answer' }).messages);
        const strays = [says('a'), system, result('nobody'), system];
        assert.deepEqual(without(cleaned(strays)), [says('a')]);
      });

      test(`${nth}: duplicates: one of two results stays, whatever stands between them`, () => {
        const twice = [says('a'), call('x'), result('x'), system, result('x'), says('b')];
        assert.equal(without(cleaned(twice)).length, 4);
      });
    }
  });
}

test('system messages in mid-conversation: one between a call and its result parts them not, and the answer stands with the results', () => {
  const { call, result, says } = /** @type {Odd} */ (FORMS.anthropic);
  const messages = [says('a'), call('x', 'y'), reminder, result('x'), says('b')];
  assert.deepEqual(cleaned([says('a'), call('x'), reminder, result('x'), says('b')]).length, 5);
  const { messages: sent } = prepareMessages(messages, { orphans: 'answer' });
  const ids = sent.map((/** @type {Odd} */ { content }) =>
    Array.isArray(content) ? content.map((block) => block.tool_use_id ?? block.id) : [],
  );
  assert.deepEqual(ids, [[], ['x', 'y'], [], ['x', 'y'], []]);
  const behind = prepareMessages([says('a'), call('x'), reminder, says('b')], { orphans: 'answer' }).messages;
  assert.deepEqual(
    behind.map(({ role }) => role),
    ['user', 'assistant', 'user', 'system', 'user'],
  );
});

test('system messages in mid-conversation: a role that is edited in place is seen', () => {
  const { call, result, says } = /** @type {Odd} */ (FORMS.chat);
  const system = { ...reminder };
  const messages = [says('a'), call('x'), system, { ...result('x'), tool_call_id: undefined }, says('b')];
  assert.equal(prepareMessages(messages).messages.length, 5, 'it may be the call’s');
  system.role = 'user';
  assert.equal(prepareMessages(messages).messages.length, 4, 'the user had spoken');
});
