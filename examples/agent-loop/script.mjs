// @ts-check
/** The example's script: user messages, and the model's tool calls. */

/**
 * @typedef {{ tool: string, arguments: Record<string, unknown> }} Call
 * @typedef {{ user?: string, say: string, calls?: Call[], interrupted?: boolean, isOutage?: boolean }} Turn
 */

export const systemPrompt =
  'You are a coding agent. You work in one folder, with the tools you are given. Never change a log once it is written.';

/** Writes the log of one day, the same on every machine. */
const makeLog = `import { mkdirSync, writeFileSync } from 'node:fs';
const day = Number(process.argv[2]);
const lines = Array.from({ length: 36 }, (_, at) => {
  const level = at % 17 === day % 17 ? 'ERROR' : at % 7 === 0 ? 'WARN' : 'INFO';
  const code = level === 'ERROR' ? ' code=ROT-' + (4700 + day * 11) : '';
  return \`day=\${day} 08:\${String(at).padStart(2, '0')} \${level} path=/orders/\${day * 100 + at} took=\${(at * 37) % 90}ms\${code}\`;
});
mkdirSync('logs', { recursive: true });
writeFileSync(\`logs/day-\${day}.log\`, lines.join('\\n'));
console.log(\`\${lines.length} lines in logs/day-\${day}.log\`);
`;

const analyse = `import { readFileSync } from 'node:fs';
const lines = readFileSync(process.argv[2], 'utf8').split('\\n');
for (const line of lines) if (/ERROR|WARN/.test(line)) console.log(line);
console.log('errors:', lines.filter((line) => line.includes('ERROR')).length);
`;

/** @param {string} command @returns {Call} */
const run = (command) => ({ tool: 'terminal-execute', arguments: { command } });
/** @param {string} filePath @returns {Call} */
const read = (filePath) => ({ tool: 'filesystem-read', arguments: { filePath } });
/** @param {string} filePath @param {string} content @returns {Call} */
const create = (filePath, content) => ({ tool: 'filesystem-create', arguments: { filePath, content } });

const LAST_DAY = 15;
/** Days on which the summary model is unavailable. */
const OUTAGE = { from: 7, to: 8 };

/** @param {number} day @returns {Turn[]} */
function dayOf(day) {
  const isOutage = day >= OUTAGE.from && day <= OUTAGE.to;
  const log = `logs/day-${day}.log`;
  const turns = [
    { say: `Writing the log of day ${day}.`, calls: [run(`node make-log.mjs ${day}`)] },
    { say: `Looking at day ${day}.`, calls: [read(log), { tool: 'filesystem-list', arguments: { path: 'logs' } }] },
    { say: `Analysing day ${day}.`, calls: [run(`node analyse.mjs ${log}`)] },
  ];
  return turns.map((turn) => ({ ...turn, isOutage }));
}

/** @type {Turn[]} */
export const turns = [
  {
    user: `Write analyse.mjs, which finds the errors in our service's logs (port 8473), and run it on days 1 to ${LAST_DAY}.`,
    say: 'First a generator for logs, then the analyser.',
    calls: [create('make-log.mjs', makeLog), create('analyse.mjs', analyse)],
  },
  { say: 'Trying it on a day that is not there.', calls: [run('node analyse.mjs logs/day-99.log')] },
  ...[1, 2, 3].flatMap(dayOf),
  { say: 'Watching the log.', calls: [run('node watch.mjs')], interrupted: true },
  { user: 'Stop watching. Go on with day 4.', say: 'Going on.' },
  ...Array.from({ length: LAST_DAY - 3 }, (_, index) => dayOf(index + 4)).flat(),
  {
    user: 'Which error code did day 1 have?',
    say: 'That was compressed long ago; looking it up.',
    calls: [{ tool: 'lookup_compressed_history', arguments: { query: '"day=1 " ERROR' } }],
  },
  { say: 'Day 1 had code ROT-4711.' },
];
