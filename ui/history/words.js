// @ts-check
/** Texts of `<compression-history>`: those that only it shows, and those of `lib/history/texts.js`. @typedef {typeof WORDS['en']} Words */
import shared from '../../lib/history/texts.js';
import { inBothLanguages } from '../base/format.js';

const own = inBothLanguages({
  conversation: ['Conversation', '对话'],
  prompt: ['Prompt {0}', '第 {0} 个提示'],
  prompts: [(count) => (count === '1' ? '1 prompt' : `${count} prompts`), '{0} 个提示'],
  toPrompt: ['Go to a prompt', '转到提示'],
  expandAll: ['Expand all', '全部展开'],
  collapseAll: ['Collapse all', '全部折叠'],
  expand: ['Show {0}', '查看 {0}'],
  collapse: ['Hide {0}', '收起 {0}'],
  search: ['Search in all messages', '在所有消息中搜索'],
  previous: ['Previous match', '上一个匹配'],
  next: ['Next match', '下一个匹配'],
  found: ['{0} of {1}', '第 {0} 个，共 {1} 个'],
  nothingFound: ['No match', '没有匹配'],
  notSearched: ['{0} in the archive not searched', '归档中有 {0} 处未搜索'],
  copy: ['Copy', '复制'],
  copied: ['Copied', '已复制'],
  notCopied: ['The browser does not allow copying here', '浏览器不允许在此复制'],
  json: ['JSON', 'JSON'],
  text: ['Text', '文本'],
  retry: ['Try again', '重试'],
  loading: ['Loading the original messages…', '正在加载原始消息…'],
  archiveFailed: ['The archive could not be read.', '无法读取归档。'],
  foreign: ['The record names another session; nothing of that one is read.', '该记录属于另一个会话，不会读取其内容。'],
  unreadable: ['This message can’t be written as JSON.', '此消息无法写成 JSON。'],
});
export const WORDS = { en: { ...shared.TEXTS.en, ...own.en }, zh: { ...shared.TEXTS.zh, ...own.zh } };
