// @ts-check
/** Takes a model's URL. Writes the saved session and the events sent to the renderer. */
import { writeFileSync } from 'node:fs';
import { AgentLoop } from './agent-loop.mjs';

/** @type {{ type: string, data: any }[]} */
const events = [];
const loop = new AgentLoop(process.argv[2] ?? '', (event) => events.push(structuredClone(event)));

/** @param {any} call @returns {import('./agent-loop.mjs').ToolResult} */
function runTool(call) {
  const { prompt, command } = JSON.parse(call.function.arguments);
  // A failed command explains the failure in its output.
  if (command) return { toolCallId: call.id, success: false, error: 'exit code 1', output: '1 of 3 tests failed: hue' };
  if (prompt === 'notes') return { toolCallId: call.id, success: true, output: 'notes: '.repeat(20_000) };
  const imageBase64 = Buffer.from(`${prompt} `.repeat(4_000)).toString('base64');
  const metadata = { imagePath: `/tmp/${prompt}.png`, imageBase64, generationTimeMs: 5120 };
  return { toolCallId: call.id, success: true, output: '图片生成成功。', metadata };
}

loop.add('system', 'You draw.');
loop.add('user', 'Run the tests, draw a lighthouse, then a harbour.');
// The format of sessions from before `toolResults`.
loop.add('tool', '[{"toolCallId":"earlier","success":true,"output":"palette: blue, white"}]');
while (await loop.step(runTool));
writeFileSync('session.json', JSON.stringify(loop.messages));
writeFileSync('events.json', JSON.stringify(events.map(({ type, data }) => ({ type, data }))));
