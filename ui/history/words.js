// @ts-check
/**
 * Texts of `<compression-history>`: those that only it shows, and those of `lib/history/texts.js`.
 *
 * @import { Language } from '../base/language.js'
 * @typedef {ReturnType<typeof wordsOf>} Words texts and numbers in one language
 */
import shared from '../../lib/history/texts.js';
import { formatCount } from '../base/format.js';

const OWN_TEXTS = {
  en: {
    conversation: 'Conversation',
    prompt: (/** @type {string} */ number) => `Prompt ${number}`,
    prompts: (/** @type {string} */ count) => (count === '1' ? '1 prompt' : `${count} prompts`),
    toPrompt: 'Go to a prompt',
    expandAll: 'Expand all',
    collapseAll: 'Collapse all',
    expand: (/** @type {string} */ originals) => `Show ${originals}`,
    collapse: (/** @type {string} */ originals) => `Hide ${originals}`,
    search: 'Search in all messages',
    previous: 'Previous match',
    next: 'Next match',
    found: (/** @type {string} */ at, /** @type {string} */ all) => `${at} of ${all}`,
    nothingFound: 'No match',
    notSearched: (/** @type {string} */ count) => `${count} in the archive not searched`,
    copy: 'Copy',
    copied: 'Copied',
    notCopied: 'The browser does not allow copying here',
    json: 'JSON',
    text: 'Text',
    retry: 'Try again',
    loading: 'Loading the original messages…',
    archiveFailed: 'The archive could not be read.',
    foreign: 'The record names another session; nothing of that one is read.',
    unreadable: 'This message can’t be written as JSON.',
  },
  zh: {
    conversation: '对话',
    prompt: (/** @type {string} */ number) => `第 ${number} 个提示`,
    prompts: (/** @type {string} */ count) => `${count} 个提示`,
    toPrompt: '转到提示',
    expandAll: '全部展开',
    collapseAll: '全部折叠',
    expand: (/** @type {string} */ originals) => `查看 ${originals}`,
    collapse: (/** @type {string} */ originals) => `收起 ${originals}`,
    search: '在所有消息中搜索',
    previous: '上一个匹配',
    next: '下一个匹配',
    found: (/** @type {string} */ at, /** @type {string} */ all) => `第 ${at} 个，共 ${all} 个`,
    nothingFound: '没有匹配',
    notSearched: (/** @type {string} */ count) => `归档中有 ${count} 处未搜索`,
    copy: '复制',
    copied: '已复制',
    notCopied: '浏览器不允许在此复制',
    json: 'JSON',
    text: '文本',
    retry: '重试',
    loading: '正在加载原始消息…',
    archiveFailed: '无法读取归档。',
    foreign: '该记录属于另一个会话，不会读取其内容。',
    unreadable: '此消息无法写成 JSON。',
  },
};

const WORDS = { en: wordsIn('en'), zh: wordsIn('zh') };

/** @param {Language} language */
export function wordsOf(language) {
  return WORDS[language];
}

/** @param {Language} language */
function wordsIn(language) {
  const number = (/** @type {number} */ value) => formatCount(value, language);
  return { ...shared.TEXTS[language], ...OWN_TEXTS[language], language, number };
}
