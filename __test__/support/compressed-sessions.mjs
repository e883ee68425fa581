// @ts-check
/** Sessions after compression by the manager: summaries of summaries, and truncations. */
import { configuration, managerWith, NOW, scripted, summary } from './compression.mjs';

const WORDS = {
  en: {
    system: 'You are a careful coding agent.',
    task: 'Please repair the login page and keep the port at 8443.',
    step: (/** @type {number} */ number) => `Step ${number}: I look at how the form is handled.`,
    line: (/** @type {number} */ line, /** @type {number} */ number) =>
      `${line}: const field${line} = validate(form.fields[${line}]); // ${number}`,
    goOn: (/** @type {number} */ round) => `Go on with round ${round}, and mind the edge cases.`,
    summary: summary('Repair the login page and keep the port at 8443.'),
  },
  zh: {
    system: '你是一个细心的编程助手。',
    task: '请修复登录页面，并保持端口为 8443。',
    step: (/** @type {number} */ number) => `第 ${number} 步：我先看一下表单的处理逻辑。`,
    line: (/** @type {number} */ line, /** @type {number} */ number) =>
      `${line}: 校验用户名、密码与验证码是否为空，并记录到审计日志 (${number})`,
    goOn: (/** @type {number} */ round) => `继续第 ${round} 轮，请注意边界情况。`,
    summary: summary('修复登录页面，并保持端口为 8443。'),
  },
};

/**
 * A session of chat messages with `rounds` compressions, each of them of everything before it.
 * @param {{ rounds?: number, language?: 'en' | 'zh', lines?: number, isCut?: boolean, options?: Record<string, unknown> }} [options]
 *   `isCut`: without a model, so that history is truncated
 * @returns {Promise<{ messages: any[], originals: any[] }>} `originals`: the original messages
 */
export async function compressedSession({ rounds = 3, language = 'en', lines = 30, isCut = false, options = {} } = {}) {
  const words = WORDS[language];
  const config = configuration({ autoCompressionSummaryModel: isCut ? undefined : 'small-model' });
  const { manager } = managerWith({ config, model: scripted(words.summary), options: { language, ...options } });
  const originals = [
    { role: 'system', content: words.system },
    { role: 'user', content: words.task },
  ];
  const messages = [...originals];
  const push = (/** @type {any[]} */ ...more) => {
    originals.push(...more);
    messages.push(...more);
  };
  for (let round = 1, calls = 0; round <= rounds; round++) {
    for (let step = 0; step < 14; step++) push(...exchange(++calls, words, lines));
    await manager.process(messages, { now: NOW + round * 3_600_000 });
    push({ role: 'user', content: words.goOn(round + 1) });
  }
  return { messages, originals };
}

/**
 * A call and its result.
 * @param {number} number @param {typeof WORDS['en']} words @param {number} lines @returns {any[]}
 */
function exchange(number, words, lines) {
  const [name, input] =
    number % 3 === 0 ? ['bash', { command: 'npm test' }] : ['read_file', { path: `src/login/part${number}.ts` }];
  const call = { id: `call_${number}`, type: 'function', function: { name, arguments: JSON.stringify(input) } };
  const content = Array.from({ length: lines }, (_, line) => words.line(line, number)).join('\n');
  return [
    { role: 'assistant', content: words.step(number), tool_calls: [call] },
    { role: 'tool', tool_call_id: call.id, content },
  ];
}

/**
 * A long session with `compressions` compressions one after another, each of which replaces the same number of messages.
 * @param {number} total
 * @param {number} compressions
 */
export function longHistory(total, compressions) {
  const each = Math.floor(total / compressions);
  return Array.from({ length: compressions }, (_, at) => {
    const own = Array.from({ length: each }, (_, index) => longMessage(at * each + index));
    const kept = own.slice(-each / 10);
    const compressed = own.slice(0, own.length - kept.length);
    return [
      {
        role: 'user',
        content: `[压缩摘要]\n${summary(`goal ${at}`)}`,
        isCompressed: true,
        compressedAt: NOW + at * 60_000,
        compression: {
          id: `cmp_${at}`,
          level: 1,
          kind: 'summary',
          beforeCount: compressed.length,
          afterCount: 1,
          tokensBefore: compressed.length * 100,
          tokensAfter: 300,
          model: 'small-model',
          durationMs: 2_000,
          messageCount: compressed.length,
          originalMessages: compressed,
        },
      },
      ...kept,
    ];
  }).flat();
}

/** @param {number} index */
function longMessage(index) {
  const id = `call_${index - (index % 2)}`;
  const text = `message ${index}: ${'words and more words '.repeat(12)}`;
  if (index % 2 === 1) return { role: 'tool', tool_call_id: id, content: text };
  const call = { id, type: 'function', function: { name: 'bash', arguments: `{"command":"step ${index}"}` } };
  return { role: 'assistant', content: text, tool_calls: [call] };
}
