// @ts-check
/** The bundled recording as an application stores it, after three compressions whose summaries the agent wrote itself, and as a view sends it. */
import { readFileSync } from 'node:fs';
import { AutoCompressionManager, ContextView, contextPicture } from 'palimpsest';

const recording = new URL('../session.json', import.meta.url);
const SUMMARIES = [
  '## 目标\n弄清仓库的组织方式：语言、工具链、入口。\n\n## 已完成\n- 确认工具链版本\n- 列出顶层目录，读过 package.json 与 Cargo.toml\n\n## 待办\n- 查看规则的实现',
  '## 目标\n弄清仓库的组织方式，并跟踪一条规则的实现。\n\n## 已完成\n- 读过核心 crate 的模块划分\n- 找到占位文本的定义\n\n## 待办\n- 运行测试',
  '## 目标\n弄清仓库的组织方式，跟踪一条规则，并确认测试通过。\n\n## 已完成\n- 运行过测试与检查\n\n## 待办\n- 总结所见',
];

/** @returns {any[]} */
export function recordedMessages() {
  return JSON.parse(readFileSync(recording, 'utf8')).messages;
}

/** The picture of an agent that sent its requests through a `ContextView`. */
export function pictureOfRecording() {
  const messages = recordedMessages();
  const view = new ContextView({ price: 'anthropic' });
  for (const [at, { role, timestamp }] of messages.entries()) {
    if (role === 'assistant') view.project(messages.slice(0, at), { now: timestamp });
  }
  return contextPicture(view);
}

/** @returns {Promise<any[]>} */
export async function compressedRecording() {
  const messages = recordedMessages();
  // No model is called, because the agent wrote the summaries itself.
  const manager = new AutoCompressionManager({ autoCompressionKeepRecentCount: 6 }, () => '');
  /** @type {any[]} */
  const stored = [];
  const step = Math.ceil(messages.length / (SUMMARIES.length + 1));
  for (let from = 0; from < messages.length; from += step) {
    const summary = SUMMARIES[from / step - 1];
    if (summary !== undefined) await manager.compress(stored, { summary });
    stored.push(...messages.slice(from, from + step));
  }
  return stored;
}
