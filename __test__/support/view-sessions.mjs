// @ts-check
/** Sessions of an agent as a provider sees them: a sequence of requests with pauses, rewinds and edits. */
import fc from 'fast-check';
import { exchange, START } from './histories.mjs';

/** Settings that compress a conversation of some thousand tokens, and a summary that is accepted. */
export const COMPRESSION_CONFIG = {
  autoCompressionSummaryModel: 'small',
  autoCompressionKeepRecentCount: 4,
  maxContextTokens: 8_000,
};
export const SUMMARY = '目标: go on\n决定: none\n已完成: all of it\n未完成: nothing\n文件: a.ts\n失败: none';

const TOOLS = ['Bash', 'Read', 'Grep', 'Edit', 'terminal-execute', 'read_file'];

/**
 * @typedef {{ kind: 'turn', tool: number, file: number, size: number, seconds: number, failed: boolean, answered: boolean, words: number }
 *   | { kind: 'rewind', by: number } | { kind: 'edit', at: number } | { kind: 'clone' } | { kind: 'ask', seconds: number }} Step
 */

const turn = fc.record({
  kind: fc.constant('turn'),
  tool: fc.nat(TOOLS.length - 1),
  file: fc.nat(3),
  size: fc.oneof(
    { weight: 3, arbitrary: fc.nat(400) },
    { weight: 2, arbitrary: fc.integer({ min: 2_000, max: 40_000 }) },
  ),
  seconds: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 1, max: 90 }) },
    { weight: 1, arbitrary: fc.constantFrom(299, 301, 601, 1801, 3601, 30_000) },
  ),
  failed: fc.boolean(),
  answered: fc.nat(9).map((roll) => roll > 0),
  words: fc.nat(200),
});

const unusual = fc.oneof(
  fc.record({ kind: fc.constant('rewind'), by: fc.integer({ min: 1, max: 8 }) }),
  fc.record({ kind: fc.constant('edit'), at: fc.nat(1_000) }),
  fc.record({ kind: fc.constant('clone') }),
  fc.record({ kind: fc.constant('ask'), seconds: fc.integer({ min: 1, max: 2_000 }) }),
);

/** @param {number} most */
export const steps = (most) =>
  /** @type {fc.Arbitrary<Step[]>} */ (
    fc.array(fc.oneof({ weight: 12, arbitrary: turn }, { weight: 1, arbitrary: unusual }), {
      minLength: 1,
      maxLength: most,
      size: 'max',
    })
  );

/** Only turns, for sessions without interruptions. @param {number} most */
export const turnsOnly = (most) =>
  /** @type {fc.Arbitrary<Step[]>} */ (fc.array(turn, { minLength: 1, maxLength: most, size: 'max' }));

/**
 * Plays a session; `send` gets the stored messages before each request.
 * @param {readonly Step[]} plan
 * @param {(stored: any[], now: number) => void} send
 * @param {{ isTimed?: boolean }} [options] true: messages have timestamps
 */
export function play(plan, send, { isTimed = true } = {}) {
  const stamped = (/** @type {object} */ message, /** @type {number} */ timestamp) =>
    isTimed ? { ...message, timestamp } : message;
  /** @type {any[]} */
  let stored = [
    { role: 'system', content: `You are an agent. ${'Be careful. '.repeat(300)}` },
    stamped({ role: 'user', content: 'Begin.' }, START),
  ];
  let now = START;
  let count = 0;
  for (const step of plan) {
    if (step.kind === 'turn') {
      const id = `call_${count++}`;
      const tool = TOOLS[step.tool];
      const path = `src/${step.file}.ts`;
      const input = tool === 'Bash' || tool === 'terminal-execute' ? { command: `make ${id}` } : { file_path: path };
      const declared = { id, type: 'function', function: { name: tool, arguments: JSON.stringify(input) } };
      stored.push(stamped({ role: 'assistant', content: 'word '.repeat(step.words), tool_calls: [declared] }, now));
      now += step.seconds * 1000;
      const text = `${step.failed && step.size % 7 === 0 ? 'Error: ' : ''}${id} ${'line of output 12\n'.repeat(step.size / 18)}`;
      if (step.answered) stored.push(stamped({ role: 'tool', tool_call_id: id, content: text }, now));
      else stored.push(stamped({ role: 'user', content: 'Stop. Go on otherwise.' }, now));
    } else if (step.kind === 'rewind') {
      stored = stored.slice(0, Math.max(2, stored.length - step.by));
      stored.push(stamped({ role: 'user', content: `Again, ${count++}` }, now));
    } else if (step.kind === 'clone') stored = structuredClone(stored);
    else if (step.kind === 'ask') {
      now += step.seconds * 1000;
      stored.push(stamped({ role: 'user', content: `And now? ${count++}` }, now));
    } else {
      const results = stored.filter(({ role }) => role === 'tool');
      const result = results[step.at % Math.max(1, results.length)];
      if (result !== undefined) result.content = `edited ${count++} ${result.content.slice(0, 500)}`;
    }
    send(stored, now);
  }
  return { stored, now };
}

/** A session of calls of bash with long outputs, one each second. @param {number} turns @param {string} name */
export function bashSession(turns, name) {
  /** @type {any[]} */
  const messages = [
    { role: 'system', content: `You are an agent. ${'Be careful. '.repeat(500)}` },
    { role: 'user', content: `Work on ${name}.`, timestamp: START },
  ];
  for (let turn = 0; turn < turns; turn++) {
    const id = `${name}_${turn}`;
    const timestamp = START + turn * 1000;
    messages.push(...exchange(id, 'bash', { command: 'ls' }, `out ${id} `.repeat(300), { timestamp }));
  }
  return messages;
}
