// @ts-check
/** Texts about session files: what the reader noted, and what it could not read. */

/** @typedef {typeof en} FileWords */

const en = {
  title: 'About the files',
  titleOfOne: 'About this file',
  times: (/** @type {string} */ count, /** @type {string} */ what) => `${count} × ${what}`,
  at: (/** @type {string} */ place) => ` (the first: ${place})`,
  passedOver: (/** @type {string} */ count) =>
    count === '1' ? '1 file is no session of a known format' : `${count} files are no sessions of a known format`,
  outside: (/** @type {string} */ count) =>
    count === '1'
      ? '1 file lies elsewhere, behind a link; it isn’t shown'
      : `${count} files lie elsewhere, behind links; they aren’t shown`,
  unread: (/** @type {string} */ path, /** @type {string} */ why) => `${path}: ${why}`,
  /** Sentences by failure code; for other codes the session reader's message is shown. @type {Record<string, string>} */
  failures: {},
  /** Sentences by kind of note. @type {Record<string, string>} */
  kinds: {},
};

/** @type {FileWords} */
const zh = {
  title: '关于这些文件',
  titleOfOne: '关于此文件',
  times: (count, what) => `${what} × ${count}`,
  at: (place) => `（第一处：${place}）`,
  passedOver: (count) => `${count} 个文件不是已知格式的会话`,
  outside: (count) => `${count} 个文件经由链接位于别处，未显示`,
  unread: (path, why) => `${path}：${why}`,
  failures: {
    ERR_SESSION_IO: '无法读取此文件',
    ERR_SESSION_NO_FILE: '不是普通文件，因为可能没有结尾而未读取',
    ERR_SESSION_EMPTY: '文件为空，其中没有会话',
    ERR_SESSION_FORMAT: '不是已知的会话文件',
    ERR_SESSION_DATABASE: '无法读取此 SQLite 数据库；可用 opencode export 导出会话',
    ERR_SESSION_TOO_LARGE: '文件太大，无法整个读取',
  },
  kinds: {
    'torn-line': '最后一行不完整',
    'bad-line': '不是 JSON 的行',
    'long-line': '行太长，已略去',
    'unreadable-file': '无法读取的文件，已略去',
    'joined-line': '一行有多条记录，均已读取',
    'invalid-text': '不是 UTF-8 的字节',
    'lone-surrogate': '不成对的代理字符',
    'unknown-record': '未知类型的记录，已略去',
    'unknown-part': '未知类型的内容，按 JSON 保留',
    'incomplete-record': '不完整的记录，已略去',
    'repeated-record': '重复的记录，只读一次',
    'partial-output': '输出只计了一部分：Claude Code 2.1.37 及更早版本只记录回答开头时的数值',
    'odd-usage': '自相矛盾的用量',
    'unexplained-shrink': '提示变小，没有记录说明原因',
    'too-many-prefixes': '前缀变化过多，已略去',
  },
};

export const FILE_WORDS = { en, zh };
