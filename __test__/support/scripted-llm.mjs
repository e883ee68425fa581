// @ts-check
/** Models for tests of compression. Each always gives the same reply, good or bad. */
import { setTimeout as wait } from 'node:timers/promises';

export const SUMMARY = `## Goal
Bring the build back to green.
## Decisions
Stay on port 8080; keep the lock file.
## Done
Read the sources and ran the tests.
## Open
The last failing test.
## Files
src/a.ts
## Failed attempts
None that matter.
## Discoveries
\`npm test\` runs everything.`;

const SUMMARY_ZH = `## 目标
让构建恢复通过。
## 决定
保持 8080 端口。
## 已完成
读了源码并运行了测试。
## 待办
最后一个失败的测试。
## 文件
src/a.ts
## 失败的尝试
无。
## 发现
npm test 会运行全部测试。`;

/** @param {string} content @param {object} [choice] */
const completed = (content, choice) => ({
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop', ...choice }],
  usage: { prompt_tokens: 900, completion_tokens: 90 },
});

const overflow = () =>
  Object.assign(
    new Error("This model's maximum context length is 4097 tokens. However, your messages resulted in 9000"),
    {
      status: 400,
      code: 'context_length_exceeded',
    },
  );

/** @type {Record<string, (parameters: any) => unknown>} */
export const REPLIES = {
  good: () => SUMMARY,
  chinese: () => ({ content: SUMMARY_ZH }),
  completion: () => completed(SUMMARY),
  late: async () => {
    await wait(2);
    return SUMMARY;
  },
  literal: () => `${SUMMARY}\n$& $1 $\` \u0000 \ud83d\ude00`,
  short: () => 'ok',
  empty: () => '',
  blank: () => ({ content: ' \n\ufeff' }),
  huge: () => 'and then the build was green again, on port 8080 '.repeat(4_000),
  rejects: () => Promise.reject(new Error('scripted')),
  throws: () => {
    throw new TypeError('scripted');
  },
  rejectsWithNothing: () => Promise.reject(undefined),
  overflows: () => Promise.reject(overflow()),
  calls: () =>
    completed('', {
      message: {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'x', function: { name: 'f', arguments: '{}' } }],
      },
      finish_reason: 'tool_calls',
    }),
  isCutOff: () => completed('## Goal\nBring the bui', { finish_reason: 'length' }),
  refuses: () => completed('', { message: { role: 'assistant', content: null, refusal: 'I cannot help with that.' } }),
  nothing: () => undefined,
  number: () => 7,
  parts: () => ({ content: [{ type: 'text', text: SUMMARY }] }),
};

/** A model that gives these replies in order and then repeats the last one. @param {readonly string[]} names of {@link REPLIES} */
export function scripted(names) {
  let callCount = 0;
  return (/** @type {any} */ parameters) => REPLIES[names[Math.min(callCount++, names.length - 1)]](parameters);
}
