// @ts-check
/**
 * What the session reader noted about the files: invalid lines, unread files. It is shown in a section that opens.
 * @import { Pair, Pairs } from '../base/format.js'
 * @import { FileNote, Listing } from './source.js'
 * @import { Words } from './words.js'
 */
import { h } from '../base/dom.js';

/** Maximum number of links to sessions with the same note. */
const MAX_LINKS = 5;

/** Notes about one session's file. @param {readonly FileNote[]} notes @param {Words} words */
export function sessionNotes(notes, { files, number }) {
  const lines = notes.map(({ kind, what, count, at }) => {
    const times = files.times(number(count), files.kinds[kind] ?? what);
    return h('li', `${times}${at === null ? '' : files.at(at)}`);
  });
  return collapsible(files.titleOfOne, lines);
}

/** Notes about all files, summed by kind. @param {Listing} listing @param {Words} words */
export function filesNote({ sessions, failures, outside, passedOver }, { files, number }) {
  /** @type {Map<string, { what: string, count: number, ids: [id: string, path: string][] }>} */
  const kinds = new Map();
  for (const { id, path, notes } of sessions) {
    for (const { kind, what, count } of notes) {
      const sum = kinds.get(kind) ?? { what: files.kinds[kind] ?? what, count: 0, ids: [] };
      sum.count += count;
      sum.ids.push([id, path]);
      kinds.set(kind, sum);
    }
  }
  const lines = [
    passedOver > 0 && h('li', files.passedOver(number(passedOver))),
    outside > 0 && h('li', files.outside(number(outside))),
    ...failures.map(({ path, code, message }) => h('li', files.unread(path, files.failures[code] ?? message))),
    ...[...kinds.values()].map((kind) => h('li', `${files.times(number(kind.count), kind.what)}: `, linksTo(kind.ids))),
  ];
  return collapsible(
    files.title,
    lines.filter((line) => line !== false),
  );
}

/** @param {readonly [id: string, path: string][]} ids of sessions, with the paths of their files */
function linksTo(ids) {
  const links = ids.slice(0, MAX_LINKS).flatMap(([id, path], index) => {
    const name = path.split(/[\\/]/).at(-1) ?? path;
    return [index > 0 && ', ', h('a', { href: `#session=${id}`, 'data-key': `odd ${id}` }, name)];
  });
  return [...links, ids.length > MAX_LINKS && ', …'];
}

/** @param {string} title @param {Element[]} lines */
function collapsible(title, lines) {
  if (lines.length === 0) return [];
  return [h('details.about', h('summary', { 'data-key': title }, title), h('ul', lines))];
}

/** Texts that replace the session reader's own, which are English. @param {Record<string, string>} texts */
const inChinese = (texts) => /** @type {Pair<Record<string, string>>} */ ([{}, texts]);

/** @satisfies {Pairs} */
export const FILE_TEXTS = {
  title: ['About the files', '关于这些文件'],
  titleOfOne: ['About this file', '关于此文件'],
  times: [(count, what) => `${count} × ${what}`, (count, what) => `${what} × ${count}`],
  at: [(place) => ` (the first: ${place})`, (place) => `（第一处：${place}）`],
  passedOver: [
    (count) =>
      count === '1' ? '1 file is no session of a known format' : `${count} files are no sessions of a known format`,
    (count) => `${count} 个文件不是已知格式的会话`,
  ],
  outside: [
    (count) =>
      count === '1'
        ? '1 file lies elsewhere, behind a link; it isn’t shown'
        : `${count} files lie elsewhere, behind links; they aren’t shown`,
    (count) => `${count} 个文件经由链接位于别处，未显示`,
  ],
  unread: [(path, why) => `${path}: ${why}`, (path, why) => `${path}：${why}`],
  /** By failure code; for other codes the session reader's message is shown. */
  failures: inChinese({
    ERR_SESSION_IO: '无法读取此文件',
    ERR_SESSION_NO_FILE: '不是普通文件，因为可能没有结尾而未读取',
    ERR_SESSION_EMPTY: '文件为空，其中没有会话',
    ERR_SESSION_FORMAT: '不是已知的会话文件',
    ERR_SESSION_DATABASE: '无法读取此 SQLite 数据库；可用 opencode export 导出会话',
    ERR_SESSION_TOO_LARGE: '文件太大，无法整个读取',
  }),
  /** By kind of note. */
  kinds: inChinese({
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
  }),
};
