// @ts-check
/**
 * Texts of `<compression-history>`: those that only it shows, and those of `lib/history/texts.js`.
 * @import { Texts } from '../base/format.js'
 * @typedef {typeof WORDS['en']} Words
 */
import shared from '../../lib/history/texts.js';
import { withFormats } from '../base/format.js';

/** @satisfies {Record<string, Texts>} */
const OWN_TEXTS = {
  en: {
    conversation: 'Conversation',
    prompt: (number) => `Prompt ${number}`,
    prompts: (count) => (count === '1' ? '1 prompt' : `${count} prompts`),
    toPrompt: 'Go to a prompt',
    expandAll: 'Expand all',
    collapseAll: 'Collapse all',
    expand: (originals) => `Show ${originals}`,
    collapse: (originals) => `Hide ${originals}`,
    search: 'Search in all messages',
    previous: 'Previous match',
    next: 'Next match',
    found: (at, all) => `${at} of ${all}`,
    nothingFound: 'No match',
    notSearched: (count) => `${count} in the archive not searched`,
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
    prompt: (number) => `第 ${number} 个提示`,
    prompts: (count) => `${count} 个提示`,
    toPrompt: '转到提示',
    expandAll: '全部展开',
    collapseAll: '全部折叠',
    expand: (originals) => `查看 ${originals}`,
    collapse: (originals) => `收起 ${originals}`,
    search: '在所有消息中搜索',
    previous: '上一个匹配',
    next: '下一个匹配',
    found: (at, all) => `第 ${at} 个，共 ${all} 个`,
    nothingFound: '没有匹配',
    notSearched: (count) => `归档中有 ${count} 处未搜索`,
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

export const WORDS = withFormats({
  en: { ...shared.TEXTS.en, ...OWN_TEXTS.en },
  zh: { ...shared.TEXTS.zh, ...OWN_TEXTS.zh },
});
