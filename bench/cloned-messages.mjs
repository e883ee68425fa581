// @ts-check
/**
 * Time per request for an agent that passes copies of its messages each time: `node bench/cloned-messages.mjs [agent…]`
 * prints minimum and median over 200 requests of a session of 300 messages.
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OpencodeHost, OpencodeSession } from '../__test__/support/adapters/opencode-host.mjs';
import { PiHost, PiSession } from '../__test__/support/adapters/pi-host.mjs';

const MESSAGES = 300;
const ROUNDS = 200;
const text = (/** @type {number} */ step) =>
  Array.from({ length: 60 }, (_, line) => `line ${line} of src/part-${step % 9}.js at ${step}`).join('\n');

const agents = {
  pi: () => {
    const session = new PiSession();
    const host = new PiHost(session);
    const add = (/** @type {object} */ message) => session.append({ type: 'message', message });
    return {
      messages: () => session.messages,
      send: (/** @type {any[]} */ messages) => host.sent(messages),
      step(/** @type {number} */ at) {
        const call = { type: 'toolCall', id: `call_${at}`, name: 'read', arguments: { path: `src/part-${at % 9}.js` } };
        add({ role: 'assistant', content: [call], stopReason: 'toolUse', timestamp: Date.now() });
        const content = [{ type: 'text', text: text(at) }];
        add({ role: 'toolResult', toolCallId: call.id, toolName: 'read', content, isError: false });
      },
    };
  },
  opencode: async () => {
    const session = new OpencodeSession();
    session.ask('Go on.');
    const host = await OpencodeHost.started(session, {
      XDG_STATE_HOME: join(tmpdir(), `palimpsest-bench-${process.pid}`),
    });
    return {
      messages: () => session.messages,
      send: (/** @type {any[]} */ messages) => host.sent(messages),
      step(/** @type {number} */ at) {
        const input = { filePath: `src/part-${at % 9}.js` };
        const state = { status: 'completed', input, output: text(at), time: { start: 1, end: 2 } };
        const parts = [{ type: 'step-start' }, { type: 'tool', tool: 'read', callID: `call_${at}`, state }];
        session.append({ role: 'assistant', finish: 'tool-calls' }, [...parts, { type: 'step-finish' }]);
      },
    };
  },
};

for (const [name, start] of Object.entries(agents)) {
  if (process.argv.length > 2 && !process.argv.includes(name)) continue;
  const { messages, send, step } = await start();
  let at = 0;
  while (messages().length < MESSAGES) step(at++);
  const times = [];
  for (let round = 0; round < ROUNDS; round++) {
    const copies = structuredClone(messages());
    const started = process.hrtime.bigint();
    await send(copies);
    times.push(Number(process.hrtime.bigint() - started) / 1e6);
  }
  times.sort((one, other) => one - other);
  const [least = 0, median = 0] = [times[0], times[ROUNDS >> 1]];
  process.stdout.write(
    `${name}: ${least.toFixed(2)} ms, median ${median.toFixed(2)} ms, ${messages().length} messages\n`,
  );
}
