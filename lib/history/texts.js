// @ts-check
'use strict';

/** @typedef {'en' | 'zh'} Language */

/** The words of a displayed history, shared by the terminal and the browser. */
const TEXTS = Object.freeze({
  en: {
    summary: 'Summarised',
    truncation: 'Cut at the hard limit',
    level: (/** @type {string} */ level) => `level ${level}`,
    messages: (/** @type {string} */ before, /** @type {string} */ after) => `${before} → ${after} messages`,
    tokens: (/** @type {string} */ before, /** @type {string} */ after) => `${before} → ${after} tokens`,
    saved: (/** @type {string} */ tokens, /** @type {string} */ share) => `${tokens} saved (${share})`,
    took: (/** @type {string} */ time) => `took ${time}`,
    originals: (/** @type {string} */ count) => (count === '1' ? '1 original message' : `${count} original messages`),
    someOriginals: 'original messages',
    end: 'End of what was compressed',
    total: (/** @type {string} */ count) => (count === '1' ? '1 message' : `${count} messages`),
    points: (/** @type {string} */ count) => (count === '1' ? '1 compression' : `${count} compressions`),
    savedInAll: (/** @type {string} */ tokens) => `${tokens} tokens saved`,
    repeated: 'repeated for the model',
    shortened: 'the model reads less of it',
    failed: 'failed',
    thinking: 'thinking not shown',
    result: (/** @type {string} */ names) => (names === '' ? 'result' : `result of ${names}`),
    inArchive: 'The original messages lie in an archive.',
    damaged: 'The original messages can’t be shown: the record is damaged.',
    empty: 'No messages yet.',
    nothingSaid: '(no text)',
    more: (/** @type {string} */ count) => `… ${count} more characters`,
    roles: { system: 'System', user: 'User', assistant: 'Assistant', tool: 'Tool', other: 'Other' },
  },
  zh: {
    summary: '已压缩为摘要',
    truncation: '已按硬性限制截断',
    level: (/** @type {string} */ level) => `第 ${level} 级`,
    messages: (/** @type {string} */ before, /** @type {string} */ after) => `${before} → ${after} 条消息`,
    tokens: (/** @type {string} */ before, /** @type {string} */ after) => `${before} → ${after} tokens`,
    saved: (/** @type {string} */ tokens, /** @type {string} */ share) => `节省 ${tokens}（${share}）`,
    took: (/** @type {string} */ time) => `用时 ${time}`,
    originals: (/** @type {string} */ count) => `${count} 条原始消息`,
    someOriginals: '原始消息',
    end: '被压缩的内容到此为止',
    total: (/** @type {string} */ count) => `${count} 条消息`,
    points: (/** @type {string} */ count) => `${count} 次压缩`,
    savedInAll: (/** @type {string} */ tokens) => `节省 ${tokens} tokens`,
    repeated: '为模型重复',
    shortened: '模型看到的内容较短',
    failed: '失败',
    thinking: '思考内容未显示',
    result: (/** @type {string} */ names) => (names === '' ? '结果' : `${names} 的结果`),
    inArchive: '原始消息保存在归档中。',
    damaged: '无法显示原始消息：记录已损坏。',
    empty: '还没有消息。',
    nothingSaid: '（无文本）',
    more: (/** @type {string} */ count) => `… 还有 ${count} 个字符`,
    roles: { system: '系统', user: '用户', assistant: '助手', tool: '工具', other: '其他' },
  },
});

module.exports = { TEXTS };
