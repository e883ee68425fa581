// @ts-check
/** Answers that are a summary, and answers that are none, as models, clients and servers give them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { configuration, processed, scripted, session, summaryIn } from '../../support/compression.mjs';

const SECTIONS = ['Goal', 'Decisions', 'Done', 'Open', 'Files', 'Failed attempts', 'Discoveries'];
const SECTIONS_ZH = ['目标', '决定', '已完成', '未完成', '文件', '失败的尝试', '发现'];
/** @param {string[]} h @param {string[]} b */
const md = (h, b, l = '## ') => h.map((x, i) => `${l}${x}\n${b[i % b.length]}`).join('\n\n');
const en = [
  'Repair the login page and keep the port at 8443.',
  'Use cookies instead of tokens.',
  'Rewrote src/login.ts.',
  'Run the suites.',
  'src/login.ts, src/port.ts',
  'The first patch broke the redirect.',
  'npm test runs all suites; node 20.',
];
const zh = [
  '修复登录页面，端口保持 8443。',
  '改用 cookie 保存会话。',
  '重写了 src/login.ts。',
  '还要跑一遍测试。',
  'src/login.ts、src/port.ts',
  '第一个补丁弄坏了跳转。',
  'npm test 运行全部测试。',
];
const one = (/** @type {string} */ t) => md(SECTIONS, [t, ...en.slice(1)]),
  onez = (/** @type {string} */ t) => md(SECTIONS_ZH, [t, ...zh.slice(1)]);
const SUMMARIES = [
  md(SECTIONS, en),
  md(SECTIONS_ZH, zh),
  md(SECTIONS, en, '### '),
  md(SECTIONS, en, '# '),
  SECTIONS.map((h, i) => `**${h}**\n- ${en[i]}`).join('\n'),
  SECTIONS.map((h, i) => `${h}: ${en[i]}`).join('\n'),
  SECTIONS_ZH.map((h, i) => `${h}：${zh[i]}`).join('\n'),
  SECTIONS.map((h, i) => `${i + 1}. ${h}: ${en[i]}`).join('\n'),
  en.join(' '),
  zh.join(''),
  `- ${en.join('\n- ')}`,
  `* ${zh.join('\n* ')}`,
  one('I cannot reproduce the login failure on node 18, so the goal is to find out why.'),
  one('Users see "Sorry, something went wrong" after login; find the cause.'),
  one('The API answers 503 Service Unavailable; make the client retry.'),
  one('Error: ECONNREFUSED on port 8443 must be handled.'),
  one("I'm sorry is what the chatbot says too often; change its prompt."),
  one('As an AI language model is a phrase to filter out of generated texts.'),
  one('The user asked to translate "抱歉，我无法回答" in src/i18n.ts.'),
  onez('修复“抱歉，我无法完成”这一提示的重复出现。'),
  onez('服务器返回 500 错误，需要查明原因。'),
  onez('我无法在本机复现该问题，目标是找出原因。'),
  onez('用户要求去掉“对不起，服务暂时不可用”的文案。'),
  one('Fix this:\n```ts\nthrow new Error("I can\'t do that");\n```'),
  one('Run:\n```sh\nnpm test -- --grep "login"\n```\nuntil it passes.'),
  onez('配置如下：\n```json\n{"port": 8443, "error": null}\n```'),
  one('Parse `<tool_call>` tags in model output (src/parse.ts).'),
  one('Replace the <div class="login"> markup by <form>.'),
  one('{"port": 8443} in config.json has to stay.'),
  one('Remove "None" and "undefined" from the rendered page.'),
  `\`\`\`markdown\n${md(SECTIONS, en)}\n\`\`\``,
  `<think>let me see</think>\n${md(SECTIONS, en)}`,
  `Here is the summary:\n\n${md(SECTIONS, en)}`,
  `以下是摘要：\n\n${md(SECTIONS_ZH, zh)}`,
  `<summary>\n${md(SECTIONS, en)}\n</summary>`,
  `I cannot find more failures. ${en.join(' ')}`,
  `Unfortunately the first patch failed: ${en.join(' ')}`,
  `Sorry state of the login code: ${en.join(' ')}`,
  `Error handling in login was rewritten. ${en.join(' ')}`,
  `The request failed with 429 Too Many Requests twice; a retry was added. ${en.join(' ')}`,
  `无法登录的问题已定位：${zh.join('')}`,
  `对不起页面（sorry.html）已经改好。${zh.join('')}`,
  `Could not reproduce on CI. ${en.join(' ')}`,
  `We can't use port 80; ${en.join(' ')}`,
  `I'm unable to run e2e tests here (no browser), unit tests pass. ${en.join(' ')}`,
  `I can't access the staging DB from here, so migration 14 is untested. ${en.join(' ')}`,
  'The user wants the login page repaired.',
  '用户要求修复登录页面，保持端口 8443。',
  'Goal: repair login. Done: patched src/login.ts. Open: tests.',
  '目标：修登录页。进度：已改 src/login.ts，待测试。',
  md(SECTIONS, [
    'none',
    'none',
    'Rewrote src/login.ts so that it keeps the port at 8443',
    'none',
    'src/login.ts',
    'none',
    'none',
  ]),
  md(SECTIONS_ZH, ['修复登录页面并保持端口', '无', '重写了登录代码', '无', '无', '无', '无']),
  `| Section | Content |\n|---|---|\n${SECTIONS.map((h, i) => `| ${h} | ${en[i]} |`).join('\n')}`,
  SECTIONS.map((h, i) => `<${h.toLowerCase().replace(' ', '_')}>${en[i]}</${h.toLowerCase().replace(' ', '_')}>`).join(
    '\n',
  ),
  'Résumé : réparer la page de connexion, garder le port 8443 ; src/login.ts est réécrit.',
  'ログインページを修正する。ポートは8443のまま。src/login.ts を書き直した。テストが残っている。',
  'Ziel: Login-Seite reparieren, Port 8443 behalten. src/login.ts neu geschrieben. Offen: Tests.',
  one('Make "Internal Server Error" pages friendlier.'),
  one("Stop on `403 Forbidden`; I won't retry those."),
  onez('我不能修改 vendor 目录，这是用户的要求。'),
];
/** What a model writes under the headings when it has not seen the conversation. */
const EMPTY = [
  'No prior history.',
  'No decisions were made.',
  'Nothing yet.',
  'Unknown',
  'No files were read or modified.',
  'None recorded.',
  'I do not have access to the earlier conversation.',
];
const EMPTY_ZH = [
  '未知',
  '没有之前的对话。',
  '暂无',
  '无历史记录',
  '没有修改任何文件',
  '无',
  '我无法访问之前的对话内容。',
];
const NO_SUMMARIES = [
  md(SECTIONS, EMPTY),
  md(SECTIONS_ZH, EMPTY_ZH),
  SECTIONS.map((h, i) => `**${h}:** ${EMPTY[i]}`).join('\n'),
  SECTIONS.map((h, i) => `- ${h}: ${EMPTY[i]}`).join('\n'),
  md(SECTIONS, ['There is no conversation to summarize.', 'None', 'N/A']),
  '',
  '  ',
  '...',
  '…',
  '.',
  '-',
  'ok',
  'OK.',
  'Done.',
  'undefined',
  'null',
  '[object Object]',
  'NaN',
  'true',
  'Sure!',
  '好的',
  '好的。',
  '完成',
  'summary',
  '{}',
  '[]',
  'none',
  "I'm sorry, but I can't help with that.",
  'I cannot assist with this request.',
  'I can’t comply with that.',
  "I'm unable to summarize this conversation.",
  'As an AI language model, I cannot do that.',
  "Sorry, I can't continue with this.",
  "I won't be able to help with that request.",
  '抱歉，我无法完成这个请求。',
  '对不起，我不能协助处理此内容。',
  '很抱歉，作为一个AI语言模型，我无法回答。',
  '我无法提供该帮助。',
  '抱歉，我不能总结这段对话。',
  '申し訳ありませんが、そのリクエストにはお応えできません。',
  '申し訳ございません。この内容の要約はできません。',
  'Es tut mir leid, aber dabei kann ich nicht helfen.',
  'Leider kann ich diese Anfrage nicht bearbeiten.',
  'Je suis désolé, mais je ne peux pas vous aider.',
  'Lo siento, pero no puedo ayudar con eso.',
  '죄송합니다. 요청을 처리할 수 없습니다.',
  'Internal Server Error',
  '502 Bad Gateway',
  'Error: 503 Service Unavailable',
  'The server is currently overloaded. Please try again later.',
  '服务器繁忙，请稍后再试。',
  '系统繁忙，请稍后重试',
  'Sorry, something went wrong. Please try again.',
  'Rate limit exceeded. Please retry after 20 seconds.',
  '<html><head><title>502 Bad Gateway</title></head><body><h1>502</h1></body></html>',
  '<!DOCTYPE html><html><body>Error</body></html>',
  '{"error":{"message":"overloaded","type":"server_error"}}',
  '{"name":"shell","arguments":{"command":"ls"}}',
  '<tool_call>{"name":"read_file","arguments":{"path":"a"}}</tool_call>',
  '<function_calls><invoke name="x"></invoke></function_calls>',
  'npm test',
  'ls -la',
  '<think>I should summarise</think>',
  '<think>thinking that never ends',
  md(SECTIONS, ['none']),
  md(SECTIONS_ZH, ['无']),
  SECTIONS.map((h) => `## ${h}`).join('\n'),
  SECTIONS.map((h) => `## ${h}\n`).join('\n'),
  'word '.repeat(300),
  'the the the the the the the the the the the the the the',
  '哈'.repeat(200),
  '{"summary": "x"}',
  '{"type":"object"}',
  '## Goal',
  'サーバーが混雑しています。しばらくしてからもう一度お試しください。',
  'Der Server ist überlastet. Bitte versuchen Sie es später erneut.',
  'Please provide the conversation you would like me to summarize.',
  '请提供需要总结的对话内容。',
];

/** @param {unknown} answer */
async function isTaken(answer, config = configuration()) {
  const { messages, calls } = await processed(session(), { config, model: scripted(answer) });
  return { isTaken: summaryIn(messages) !== undefined, calls };
}

describe('R7.6 what is taken for a summary', () => {
  it('R7.6 sixty summaries are: in sections or prose, with errors, refusals and markup as what they report', async () => {
    for (const answer of SUMMARIES) assert.ok((await isTaken(answer)).isTaken, answer);
  });

  it('R7.6 refusals, apologies, markup, JSON, one word over and over, and empty headings are not', async () => {
    for (const answer of NO_SUMMARIES) assert.ok(!(await isTaken(answer)).isTaken, answer);
  });

  it('R7.6 the question itself is no answer', async () => {
    for (const at of [0, -1]) {
      const echo = (/** @type {any} */ { messages }) => messages.at(at).content;
      assert.ok(!(await isTaken(echo)).isTaken);
      assert.ok(!(await isTaken((/** @type {any} */ asked) => echo(asked).slice(0, 1_500))).isTaken);
    }
  });
});

describe('R7.6 an answer that was cut off', () => {
  const text = md(SECTIONS, en).slice(0, -40);
  for (const [name, answer] of Object.entries({
    'a completion of OpenAI': { choices: [{ message: { content: text }, finish_reason: 'length' }] },
    'a response of OpenAI': {
      output_text: text,
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
    },
    'a message of Anthropic': { content: [{ type: 'text', text }], stop_reason: 'max_tokens' },
    'an answer of Gemini': { candidates: [{ content: { parts: [{ text }] }, finishReason: 'MAX_TOKENS' }] },
    'a result of the AI SDK': { text, finishReason: 'length' },
  })) {
    it(`R7.6 ${name} is asked for once more with more room, and then does`, async () => {
      const { isTaken: taken, calls } = await isTaken(answer);
      assert.equal(calls.length, 2);
      assert.ok(calls[1].maxTokens > calls[0].maxTokens && taken);
    });
  }

  it('R7.6 thoughts of Gemini are no part of the summary', async () => {
    const parts = [{ text: 'I think about it.', thought: true }, { text: md(SECTIONS, en) }];
    const { messages } = await processed(session(), { model: scripted({ candidates: [{ content: { parts } }] }) });
    assert.ok(summaryIn(messages) && !summaryIn(messages).content.includes('I think'));
  });
});
