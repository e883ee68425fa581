// @ts-check
/** Answers of models, clients and servers that are accepted as a summary, and answers that are refused. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { processed, scripted, session, summaryIn } from '../../support/compression.mjs';

const SECTIONS = ['Goal', 'Decisions', 'Done', 'Open', 'Files', 'Failed attempts', 'Discoveries'];
const SECTIONS_ZH = ['目标', '决定', '已完成', '未完成', '文件', '失败的尝试', '发现'];
/** Sections in Markdown; the bodies repeat. @param {string[]} headings @param {string[]} bodies */
const markdown = (headings, bodies, mark = '## ') =>
  headings.map((heading, index) => `${mark}${heading}\n${bodies[index % bodies.length]}`).join('\n\n');
const BODIES = [
  'Repair the login page and keep the port at 8443.',
  'Use cookies instead of tokens.',
  'Rewrote src/login.ts.',
  'Run the suites.',
  'src/login.ts, src/port.ts',
  'The first patch broke the redirect.',
  'npm test runs all suites; node 20.',
];
const BODIES_ZH = [
  '修复登录页面，端口保持 8443。',
  '改用 cookie 保存会话。',
  '重写了 src/login.ts。',
  '还要跑一遍测试。',
  'src/login.ts、src/port.ts',
  '第一个补丁弄坏了跳转。',
  'npm test 运行全部测试。',
];
const withGoal = (/** @type {string} */ goal) => markdown(SECTIONS, [goal, ...BODIES.slice(1)]);
const withGoalZh = (/** @type {string} */ goal) => markdown(SECTIONS_ZH, [goal, ...BODIES_ZH.slice(1)]);
const ACCEPTED = [
  markdown(SECTIONS, BODIES),
  markdown(SECTIONS_ZH, BODIES_ZH),
  markdown(SECTIONS, BODIES, '### '),
  markdown(SECTIONS, BODIES, '# '),
  SECTIONS.map((heading, index) => `**${heading}**\n- ${BODIES[index]}`).join('\n'),
  SECTIONS.map((heading, index) => `${heading}: ${BODIES[index]}`).join('\n'),
  SECTIONS_ZH.map((heading, index) => `${heading}：${BODIES_ZH[index]}`).join('\n'),
  SECTIONS.map((heading, index) => `${index + 1}. ${heading}: ${BODIES[index]}`).join('\n'),
  BODIES.join(' '),
  BODIES_ZH.join(''),
  `- ${BODIES.join('\n- ')}`,
  `* ${BODIES_ZH.join('\n* ')}`,
  withGoal('I cannot reproduce the login failure on node 18, so the goal is to find out why.'),
  withGoal('Users see "Sorry, something went wrong" after login; find the cause.'),
  withGoal('The API answers 503 Service Unavailable; make the client retry.'),
  withGoal('Error: ECONNREFUSED on port 8443 must be handled.'),
  withGoal("I'm sorry is what the chatbot says too often; change its prompt."),
  withGoal('As an AI language model is a phrase to filter out of generated texts.'),
  withGoal('The user asked to translate "抱歉，我无法回答" in src/i18n.ts.'),
  withGoalZh('修复“抱歉，我无法完成”这一提示的重复出现。'),
  withGoalZh('服务器返回 500 错误，需要查明原因。'),
  withGoalZh('我无法在本机复现该问题，目标是找出原因。'),
  withGoalZh('用户要求去掉“对不起，服务暂时不可用”的文案。'),
  withGoal('Fix this:\n```ts\nthrow new Error("I can\'t do that");\n```'),
  withGoal('Run:\n```sh\nnpm test -- --grep "login"\n```\nuntil it passes.'),
  withGoalZh('配置如下：\n```json\n{"port": 8443, "error": null}\n```'),
  withGoal('Parse `<tool_call>` tags in model output (src/parse.ts).'),
  withGoal('Replace the <div class="login"> markup by <form>.'),
  withGoal('{"port": 8443} in config.json has to stay.'),
  withGoal('Remove "None" and "undefined" from the rendered page.'),
  `\`\`\`markdown\n${markdown(SECTIONS, BODIES)}\n\`\`\``,
  `<think>let me see</think>\n${markdown(SECTIONS, BODIES)}`,
  `Here is the summary:\n\n${markdown(SECTIONS, BODIES)}`,
  `以下是摘要：\n\n${markdown(SECTIONS_ZH, BODIES_ZH)}`,
  `<summary>\n${markdown(SECTIONS, BODIES)}\n</summary>`,
  `I cannot find more failures. ${BODIES.join(' ')}`,
  `Unfortunately the first patch failed: ${BODIES.join(' ')}`,
  `Sorry state of the login code: ${BODIES.join(' ')}`,
  `Error handling in login was rewritten. ${BODIES.join(' ')}`,
  `The request failed with 429 Too Many Requests twice; a retry was added. ${BODIES.join(' ')}`,
  `无法登录的问题已定位：${BODIES_ZH.join('')}`,
  `对不起页面（sorry.html）已经改好。${BODIES_ZH.join('')}`,
  `Could not reproduce on CI. ${BODIES.join(' ')}`,
  `We can't use port 80; ${BODIES.join(' ')}`,
  `I'm unable to run e2e tests here (no browser), unit tests pass. ${BODIES.join(' ')}`,
  `I can't access the staging DB from here, so migration 14 is untested. ${BODIES.join(' ')}`,
  'The user wants the login page repaired.',
  '用户要求修复登录页面，保持端口 8443。',
  'Goal: repair login. Done: patched src/login.ts. Open: tests.',
  '目标：修登录页。进度：已改 src/login.ts，待测试。',
  markdown(SECTIONS, [
    'none',
    'none',
    'Rewrote src/login.ts so that it keeps the port at 8443',
    'none',
    'src/login.ts',
    'none',
    'none',
  ]),
  markdown(SECTIONS_ZH, ['修复登录页面并保持端口', '无', '重写了登录代码', '无', '无', '无', '无']),
  `| Section | Content |\n|---|---|\n${SECTIONS.map((heading, index) => `| ${heading} | ${BODIES[index]} |`).join('\n')}`,
  SECTIONS.map(
    (heading, index) =>
      `<${heading.toLowerCase().replace(' ', '_')}>${BODIES[index]}</${heading.toLowerCase().replace(' ', '_')}>`,
  ).join('\n'),
  'Résumé : réparer la page de connexion, garder le port 8443 ; src/login.ts est réécrit.',
  'ログインページを修正する。ポートは8443のまま。src/login.ts を書き直した。テストが残っている。',
  'Ziel: Login-Seite reparieren, Port 8443 behalten. src/login.ts neu geschrieben. Offen: Tests.',
  withGoal('Make "Internal Server Error" pages friendlier.'),
  withGoal("Stop on `403 Forbidden`; I won't retry those."),
  withGoalZh('我不能修改 vendor 目录，这是用户的要求。'),
];
/** Bodies by a model that hasn't seen the conversation. */
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
const REFUSED = [
  markdown(SECTIONS, EMPTY),
  markdown(SECTIONS_ZH, EMPTY_ZH),
  SECTIONS.map((heading, index) => `**${heading}:** ${EMPTY[index]}`).join('\n'),
  SECTIONS.map((heading, index) => `- ${heading}: ${EMPTY[index]}`).join('\n'),
  markdown(SECTIONS, ['There is no conversation to summarize.', 'None', 'N/A']),
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
  markdown(SECTIONS, ['none']),
  markdown(SECTIONS_ZH, ['无']),
  SECTIONS.map((heading) => `## ${heading}`).join('\n'),
  SECTIONS.map((heading) => `## ${heading}\n`).join('\n'),
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
async function processedWith(answer) {
  const { messages, calls } = await processed(session(), { model: scripted(answer) });
  return { isAccepted: summaryIn(messages) !== undefined, calls };
}

describe('R7.6 accepted and refused answers', () => {
  it('R7.6 a summary in sections or prose is accepted, even if it reports errors, refusals or markup', async () => {
    for (const answer of ACCEPTED) assert.ok((await processedWith(answer)).isAccepted, answer);
  });

  it('R7.6 refusals, apologies, errors, markup, JSON, repeated words and empty headings are refused', async () => {
    for (const answer of REFUSED) assert.ok(!(await processedWith(answer)).isAccepted, answer);
  });

  it('R7.6 an answer that repeats the prompt is refused', async () => {
    for (const at of [0, -1]) {
      const echo = (/** @type {any} */ { messages }) => messages.at(at).content;
      assert.ok(!(await processedWith(echo)).isAccepted);
      assert.ok(!(await processedWith((/** @type {any} */ parameters) => echo(parameters).slice(0, 1_500))).isAccepted);
    }
  });
});

describe('R7.6 an answer that was cut off', () => {
  const text = markdown(SECTIONS, BODIES).slice(0, -40);
  for (const [name, answer] of Object.entries({
    'a completion of OpenAI': { choices: [{ message: { content: text }, finish_reason: 'length' }] },
    'a response of OpenAI': {
      output_text: text,
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
    },
    'a message of Anthropic': { content: [{ type: 'text', text }], stop_reason: 'max_tokens' },
    'a response of Gemini': { candidates: [{ content: { parts: [{ text }] }, finishReason: 'MAX_TOKENS' }] },
    'a result of the AI SDK': { text, finishReason: 'length' },
  })) {
    it(`R7.6 ${name} that was cut off is requested again with a higher limit and then accepted`, async () => {
      const { isAccepted, calls } = await processedWith(answer);
      assert.equal(calls.length, 2);
      assert.ok(calls[1].maxTokens > calls[0].maxTokens && isAccepted);
    });
  }

  it('R7.6 parts of Gemini with thought true are left out of the summary', async () => {
    const parts = [{ text: 'I think about it.', thought: true }, { text: markdown(SECTIONS, BODIES) }];
    const { messages } = await processed(session(), { model: scripted({ candidates: [{ content: { parts } }] }) });
    assert.ok(summaryIn(messages) && !summaryIn(messages).content.includes('I think'));
  });
});
