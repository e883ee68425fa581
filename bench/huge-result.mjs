// @ts-check
/**
 * Time that one `process` call blocks the event loop for a tool result of 8 MB: `node bench/huge-result.mjs [window]`.
 * For each kind of text it prints the duration of the call and the longest time without a timer callback, in ms.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { AutoCompressionManager } from 'palimpsest';

const UNITS = 8 * 1024 * 1024;
const window = Number(process.argv[2] ?? 128_000);
const repeated = (/** @type {string} */ text) => text.repeat(Math.ceil(UNITS / text.length)).slice(0, UNITS);
let seed = 1;
const letters = Uint8Array.from({ length: UNITS }, () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return 97 + ((seed >>> 16) % 26);
});
const bytes = Uint8Array.from({ length: (UNITS * 3) / 4 }, (_, at) => Math.imul(at, 2_654_435_761) >>> (at % 13));
const TEXTS = {
  'one letter': repeated('a'),
  spaces: repeated(' '),
  letters: Buffer.from(letters).toString('latin1'),
  中文: repeated('数据库迁移失败请检查连接配置并重试然后再次运行测试'),
  base64: Buffer.from(bytes).toString('base64'),
  log: Array.from(
    { length: 120_000 },
    (_, at) => `2026-01-01 12:00:${at % 60} worker[${at % 97}] item ${at} took ${at % 31} ms\n`,
  )
    .join('')
    .slice(0, UNITS),
};

for (const [name, content] of Object.entries(TEXTS)) {
  const call = { id: 'a', type: 'function', function: { name: 'shell', arguments: '{}' } };
  const messages = [
    { role: 'user', content: 'Look at the output.' },
    { role: 'assistant', content: '', tool_calls: [call] },
    { role: 'tool', tool_call_id: 'a', content },
  ];
  const manager = new AutoCompressionManager({ maxContextTokens: window }, async () => '');
  await manager.process([{ role: 'user', content: 'Vocabularies are read now.' }]);
  let [last, longest] = [performance.now(), 0];
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 1);
  await wait(20);
  longest = 0;
  const start = performance.now();
  await manager.process(messages);
  const took = performance.now() - start;
  await wait(5);
  clearInterval(timer);
  console.log(`${name.padEnd(10)} ${took.toFixed(0).padStart(5)} ms, longest ${longest.toFixed(0).padStart(5)} ms`);
}
