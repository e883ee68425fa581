// @ts-check
/** Runs one example application against the mock model, in its own folder. */
import { spawn } from 'node:child_process';
import { build } from 'esbuild';
import { SUMMARY_MODEL, startProvider } from '../provider/provider.mjs';

/**
 * @typedef {import('./host-folder.mjs').HostName} HostName
 * @typedef {import('../provider/provider.mjs').Turn} Turn
 * @typedef {{ code: number | null, output: string, requests: { model: string, tokens: number, status: number, text: string }[] }} Run
 */

/** CommonJS in an ES module needs `require`; every bundled Node.js program has this line. */
const REQUIRE = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/** @param {string} name @param {object} args @returns {Turn} */
const calling = (name, args) => ({ calls: [{ name, arguments: args }] });

/** @type {Record<HostName, { windowTokens: number, turns: Turn[], main: string }>} */
/** What each application's model does. */
const SCENES = {
  'terminal-agent': {
    windowTokens: 20_000,
    main: 'dist/agent.mjs',
    turns: Array.from({ length: 24 }, (_, step) => {
      if (step % 2 === 0) return calling('filesystem-read', { filePath: 'src/main.ts' });
      return calling('terminal-execute', { command: step === 13 ? 'cat build.log' : `make part-${step}` });
    }),
  },
  'agent-server': {
    windowTokens: 4_000,
    main: 'main.mjs',
    turns: Array.from({ length: 35 }, (_, step) => calling('orders', { page: step + 1 })),
  },
  'electron-agent': {
    windowTokens: 20_000,
    main: 'main.mjs',
    turns: [
      calling('shell', { command: 'npm test' }),
      ...['lighthouse', 'harbour', 'notes'].map((prompt) => calling('image_generate', { prompt })),
    ],
  },
};

/** @param {HostName} host @param {string} folder folder created by {@link makeHost} @returns {Promise<Run>} */
export async function runHost(host, folder) {
  const { windowTokens, turns, main } = SCENES[host];
  if (host === 'terminal-agent') await bundle(folder, main);
  let next = 0;
  const provider = await startProvider({ script: () => turns[next++], windowTokens });
  try {
    const { code, output } = await run(folder, main, `${provider.url}/v1`);
    return { code, output, requests: provider.requests };
  } finally {
    provider.close();
  }
}

/** Report of a run for the user. @param {HostName} host @param {Run} run */
export function reportOf(host, { code, output, requests }) {
  const sent = requests.filter(({ model }) => model !== SUMMARY_MODEL);
  const refused = sent.filter(({ status }) => status !== 200);
  const figures = [
    `${sent.length} requests`,
    `at most ${Math.max(0, ...sent.map(({ tokens }) => tokens))} tokens`,
    `${refused.length} refused by the provider`,
    `${requests.length - sent.length} summaries`,
  ];
  return `${host}: ${code === 0 ? 'ended well' : `ended with exit code ${code}\n${output}`}; ${figures.join(', ')}`;
}

/** @param {string} folder @param {string} outfile */
async function bundle(folder, outfile) {
  await build({
    absWorkingDir: folder,
    banner: { js: REQUIRE },
    bundle: true,
    // The application is linked to this checkout, where files for bundlers don't exist until it is packed.
    conditions: [],
    entryPoints: ['main.ts'],
    external: ['*.node', 'palimpsest-*'],
    format: 'esm',
    logLevel: 'silent',
    outfile,
    platform: 'node',
    target: 'node20',
  });
}

/** @param {string} folder @param {string} main @param {string} url @returns {Promise<{ code: number | null, output: string }>} */
function run(folder, main, url) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [main, url], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}
