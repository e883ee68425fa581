// @ts-check
/**
 * The scripted agent's messages and tool calls: a user asks, in Chinese, how this repository is organised and how its
 * command handles broken files. Results aren't scripted; they come from real runs.
 */
import { recordedRoot } from './tools.mjs';

/**
 * @typedef {import('./tools.mjs').ReadTarget} ReadTarget
 * @typedef {{ tool: 'terminal-execute', arguments: { command: string }, abortAfterMs?: number }} TerminalCall
 * @typedef {{ tool: 'filesystem-read', arguments: { filePath: ReadTarget | ReadTarget[], startLine?: number, endLine?: number } }} ReadCall
 * @typedef {{ tool: 'ace-text_search', arguments: { pattern: string, path?: string } }} SearchCall
 * @typedef {TerminalCall | ReadCall | SearchCall} Call
 * @typedef {{ user: string } | { answer: string } | { say?: string, think?: string, calls: Call[] }} Turn
 */

/**
 * @param {string} command
 * @param {number} [abortAfterMs] the user presses Escape this long after the start
 * @returns {TerminalCall}
 */
function run(command, abortAfterMs) {
  return { tool: 'terminal-execute', arguments: { command }, ...(abortAfterMs === undefined ? {} : { abortAfterMs }) };
}

/**
 * @param {ReadTarget | ReadTarget[]} filePath
 * @param {number} [startLine]
 * @param {number} [endLine]
 * @returns {ReadCall}
 */
function read(filePath, startLine, endLine) {
  return {
    tool: 'filesystem-read',
    arguments: { filePath, ...(startLine === undefined ? {} : { startLine, endLine }) },
  };
}

/**
 * @param {string} pattern
 * @param {string} [path]
 * @returns {SearchCall}
 */
function search(pattern, path) {
  return { tool: 'ace-text_search', arguments: { pattern, ...(path === undefined ? {} : { path }) } };
}

export const systemPrompt =
  'You are a coding agent in a terminal. You may run commands, read files and search text. ' +
  'Answer in the language of the user. Read before you claim; quote the line that a claim rests on.';

/** @type {Turn[]} */
const gettingToKnow = [
  { user: '先看看这个仓库是怎么组织的：用了哪些语言，需要什么工具链，入口在哪里？' },
  { say: '我先确认工具链，再看目录。', calls: [run('node --version'), run('cargo --version'), run('git --version')] },
  { calls: [run('ls')] },
  { calls: [read('package.json')] },
  { calls: [read(['Cargo.toml', 'crates/core/Cargo.toml'])] },
  { calls: [read('README.zh-CN.md')] },
  { say: '没有中文说明，直接看类型定义。', calls: [read('index.d.ts')] },
  { calls: [run('wc -c index.d.ts package.json Cargo.toml')] },
  { calls: [read('crates/core/src')] },
  { calls: [run('find crates src -name "*.rs" | sort | xargs wc -l')] },
  {
    calls: [
      run(`node -e "const n=require('fs').readdirSync('.').length;console.log('仓库根目录共有 '+n+' 个条目 ✓')"`),
    ],
  },
  {
    answer:
      '仓库由三层组成：`crates/core` 是不依赖 Node 的 Rust 规则，`src/` 是 napi 绑定，`index.d.ts` 是手写的公开类型；' +
      '`bin/` 是命令行。需要 Node 20 以上和稳定版 Rust。',
  },
];

/** @type {Turn[]} */
const readingTheTypes = [
  { user: '公开的函数有哪些？哪些会改动传入的数组，哪些不会？请逐个核对类型里的说明。' },
  { calls: [run('grep -n "^export" index.d.ts')] },
  { calls: [read('./index.d.ts', 1, 60)] },
  { calls: [search('in place')] },
  { calls: [read(`${recordedRoot}/index.d.ts`, 60, 130)] },
  {
    think: '先确认错误的判定，再看占位符。',
    calls: [read('index.d.ts', 130, 200), search('placeholder', 'crates')],
  },
  { calls: [run('cat docs/api/functions.md')] },
  { calls: [read('./bin/../index.d.ts', 150, 220)] },
  { calls: [search('keepRecent')] },
  { calls: [read([{ path: 'index.d.ts', startLine: 1, endLine: 40 }, { path: 'crates/core/src/lib.rs' }])] },
  { calls: [run('sed -n 1,120p index.d.ts')] },
  {
    answer:
      '四个 `simplify…` 和 `cleanOrphanedToolCalls` 会替换传入数组的槽位，但从不改写消息对象；`prepareMessages` 返回新数组，' +
      '传入的数组保持原样。类型里的说明与这一点一致。',
  },
];

/** @type {Turn[]} */
const lookingAtTheCommand = [
  { user: '那命令行呢？如果我给它一个不是会话的文件，它会怎么说？' },
  { calls: [read('bin')] },
  { calls: [run('node bin/palimpsest.mjs --help'), run('node bin/palimpsest.mjs reprot')] },
  { calls: [read('bin/palimpsest.mjs')] },
  { calls: [search('SessionFileError', 'bin')] },
  { calls: [read('bin/session-file.mjs', 1, 120)] },
  { calls: [run('node bin/palimpsest.mjs report Cargo.toml')] },
  { calls: [read('./bin/session-file.mjs', 100, 240)] },
  { calls: [run('find bin -name "*.mjs" | sort | xargs wc -l')] },
  { calls: [read(['bin/table.mjs', { path: 'bin/option-values.mjs', startLine: 1, endLine: 60 }])] },
  { calls: [run('node -e "process.exit(3)"')] },
  { say: '退出码 3，没有输出：正好用来核对失败的命令会不会被保留。', calls: [search('exitCode', 'crates')] },
  { calls: [run('grep -n "function" bin/session-file.mjs bin/table.mjs bin/session-figures.mjs')] },
  {
    answer:
      '不是会话的文件会在标准错误里得到一行：文件、行号、列号、期望的内容和实际的内容；其他文件照常报告，最后退出码为 1。',
  },
];

/** @type {Turn[]} */
const interrupted = [
  { user: '再跑一下完整的检查，看看语法有没有问题。' },
  {
    say: '先做语法检查，同时启动一个较慢的命令。',
    calls: [run('node --check bin/palimpsest.mjs'), run('node -e "setTimeout(() => {}, 60000)"', 300)],
  },
  { user: '太慢了，我按了 Esc。不用等它，只检查 bin 下的文件就行。' },
  { calls: [run('for f in bin/*.mjs; do node --check "$f" && echo "ok $f"; done')] },
  { calls: [run('node --help | head -100')] },
  { calls: [run(`node -e "console.log('\\u001b[32m✓\\u001b[39m 语法检查全部通过')"`)] },
  { answer: 'bin 下的文件都通过了语法检查；被中断的那个命令没有结果，我没有把它算进去。' },
];

/** @type {Turn[]} */
const checkingTheDetails = [
  { user: '最后核对几个细节：默认的保留条数、时间阈值、以及占位符的原文，都写在类型的哪一行？' },
  { calls: [search('Default 5')] },
  { calls: [read('index.d.ts', 60, 120)] },
  { calls: [run('grep -n "900 000" index.d.ts')] },
  { calls: [read('index.d.ts', 85, 110), read('index.d.ts', 110, 140)] },
  { calls: [search('过时')] },
  { calls: [read('src/../index.d.ts', 100, 135)] },
  { calls: [run('cat crates/core/src/lib.rs')] },
  { calls: [search('messageStatus', 'crates')] },
  { calls: [read(['package.json', './index.d.ts'], 1, 50)] },
  { calls: [run('node -p "Object.keys(require(\'./package.json\').scripts).join()"')] },
  { calls: [read('index.d.ts', 160, 200)] },
  { calls: [run('wc -l index.d.ts bin/*.mjs')] },
  {
    answer:
      '默认保留最新 5 条，命令行结果的阈值是 15 分钟（严格大于），文本搜索是 10 分钟；占位符的原文都写在 `index.d.ts` 对应选项的注释里。',
  },
];

/** @type {readonly Turn[]} */
export const turns = [
  ...gettingToKnow,
  ...readingTheTypes,
  ...lookingAtTheCommand,
  ...interrupted,
  ...checkingTheDetails,
];
