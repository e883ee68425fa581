// @ts-check
/** A manager in a process of its own: unhandled rejections, the end of the process, and garbage collection. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const support = new URL('../../support/compression.mjs', import.meta.url).href;

/** The JSON lines that `code` prints in a process of its own, after which no error was unhandled. @param {string} code */
function inProcess(code) {
  const script = `
    import * as support from ${JSON.stringify(support)};
    const { AutoCompressionManager, configuration, managerWith, scripted, session, summary, summaryIn, pendingModel, OVER } = support;
    const unhandled = [];
    process.on('unhandledRejection', (error) => unhandled.push(String(error)));
    process.on('uncaughtException', (error) => unhandled.push(String(error)));
    process.on('exit', () => console.log(JSON.stringify({ unhandled })));
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
  assert.deepEqual(lines.pop(), { unhandled: [] });
  return lines;
}

describe('a process with a manager', () => {
  it('R7.1 clients, archives and listeners that fail at any time cause no unhandled rejection', () => {
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

  it('R7.1 a pending request for a summary keeps the process alive until its timeout', () => {
    const lines = inProcess(`
      const { model } = pendingModel();
      const { manager } = managerWith({ model, config: configuration({ autoCompressionSummaryTimeoutMs: 100 }) });
      manager.process(session()).then(() => console.log(JSON.stringify(manager.stats().failed)));
    `);
    assert.deepEqual(lines, [1]);
  });

  it('a summary is applied even if garbage is collected while the manager is referenced only by its pending call', () => {
    const [line] = inProcess(`
      const { model, requested, release } = pendingModel();
      const messages = session();
      let done = new AutoCompressionManager(configuration(), model).process(messages);
      await requested;
      for (let at = 0; at < 5; at++) { gc(); await turns(2); }
      release();
      await done;
      console.log(JSON.stringify({ applied: summaryIn(messages) !== undefined }));
    `);
    assert.deepEqual(line, { applied: true });
  });

  it('managers and arrays without references are garbage-collected after process', () => {
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
