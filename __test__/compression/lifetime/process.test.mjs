// @ts-check
/** The process that a manager lives in: nothing rejects unheard, nothing keeps it alive, nothing is kept in memory. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const support = new URL('../../support/compression.mjs', import.meta.url).href;

/**
 * What `code` prints in a process of its own, which fails when anything rejects unheard.
 * @param {string} code
 */
function inProcess(code) {
  const script = `
    import * as support from ${JSON.stringify(support)};
    const { AutoCompressionManager, configuration, managerWith, scripted, session, summary, summaryIn, waiting, OVER } = support;
    const unheard = [];
    process.on('unhandledRejection', (error) => unheard.push(String(error)));
    process.on('uncaughtException', (error) => unheard.push(String(error)));
    process.on('exit', () => console.log(JSON.stringify({ unheard })));
    const turns = async (count) => { for (let at = 0; at < count; at++) await new Promise(setImmediate); };
    ${code}`;
  const { stdout, stderr, status, signal } = spawnSync(
    process.execPath,
    ['--expose-gc', '--input-type=module', '--eval', script],
    { cwd: fileURLToPath(new URL('../../..', import.meta.url)), encoding: 'utf8', timeout: 50_000 },
  );
  assert.deepEqual([status, signal, stderr], [0, null, ''], stdout);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(lines.pop(), { unheard: [] });
  return lines;
}

describe('R7.1 the host process', () => {
  it('R7.1 no rejection goes unheard, whatever the client does and whenever', () => {
    inProcess(`
      const late = (ms) => new Promise((_, reject) => setTimeout(() => reject(new Error('late')), ms));
      const config = configuration({ autoCompressionSummaryTimeoutMs: 50 });
      const clients = [
        () => { throw new Error('at once'); },
        () => Promise.reject(new Error('rejected')),
        () => Promise.reject(undefined),
        () => late(120),
        ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
        () => ({ get content() { throw new Error('getter'); } }),
      ];
      for (const client of clients) {
        const { manager } = managerWith({ config, model: client });
        await manager.process(session(OVER));
        await manager.compress(session(1000));
        const controller = new AbortController();
        const done = manager.process(session(), { signal: controller.signal });
        controller.abort(new Error('no'));
        await done;
      }
      const { manager } = managerWith();
      for (const wrong of [undefined, null, 7, Object.freeze(session())]) manager.process(wrong);
      managerWith({ options: { archive: { append() { throw new Error('disk'); } }, sessionId: 's' } }).manager.process(session());
      managerWith({ options: { archive: { append: () => Promise.reject(new Error('disk')) }, sessionId: 's' } }).manager.process(session());
      managerWith({ options: { onEvent: () => Promise.reject(new Error('listener')).catch(() => {}) } }).manager.process(session());
      await new Promise((resolve) => setTimeout(resolve, 250));
    `);
  });

  it('R7.1 a summary that never comes keeps the process alive until its timeout and no longer', () => {
    const lines = inProcess(`
      const { model } = waiting();
      const { manager } = managerWith({ model, config: configuration({ autoCompressionSummaryTimeoutMs: 100 }) });
      manager.process(session()).then(() => console.log(JSON.stringify(manager.stats().failed)));
    `);
    assert.deepEqual(lines, [1]);
  });

  it('R7.9 a manager that is collected while the model writes does no harm, and the summary is applied', () => {
    const [line] = inProcess(`
      const { model, asked, release } = waiting();
      const messages = session();
      let done = new AutoCompressionManager(configuration(), model).process(messages);
      await asked;
      for (let at = 0; at < 5; at++) { gc(); await turns(2); }
      release();
      await done;
      console.log(JSON.stringify({ applied: summaryIn(messages) !== undefined }));
    `);
    assert.deepEqual(line, { applied: true });
  });

  it('R7.9 managers, sessions and listeners are collected when nobody has them any more', () => {
    const [line] = inProcess(`
      let left = 0;
      const registry = new FinalizationRegistry(() => left--);
      await (async () => {
        for (let at = 0; at < 30; at++) {
          const { manager } = managerWith();
          const messages = session();
          for (const one of [manager, messages]) { registry.register(one); left++; }
          await manager.process(messages);
        }
      })();
      for (let at = 0; at < 50 && left > 2; at++) { gc(); await turns(5); }
      console.log(JSON.stringify({ left }));
    `);
    assert.ok(line.left <= 2, `${line.left} of 60 are left`);
  });
});
