// @ts-check
/** runWithProgress: stages, the progress curve, timeouts and aborts. */
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { runWithProgress, ToolTimeoutError, toolTimeouts } from 'palimpsest';

/** Lets promises settle while the fake clock is stopped. */
const settle = async () => {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
};

/**
 * Runs `check` on a fake clock, and asserts that every timer was cleared.
 * @param {(advance: (ms: number) => Promise<void>) => Promise<void>} check
 */
async function onFakeClock(check) {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: 1_000 });
  const running = new Set();
  const real = { setTimeout, setInterval, clearTimeout, clearInterval };
  const started =
    (/** @type {Function} */ start) =>
    (/** @type {any[]} */ ...given) => {
      const timer = start(...given);
      running.add(timer);
      return timer;
    };
  const stopped = (/** @type {Function} */ stop) => (/** @type {unknown} */ timer) => {
    running.delete(timer);
    stop(timer);
  };
  Object.assign(globalThis, {
    setTimeout: started(setTimeout),
    setInterval: started(setInterval),
    clearTimeout: stopped(clearTimeout),
    clearInterval: stopped(clearInterval),
  });
  try {
    await check(async (ms) => {
      for (let left = ms; left > 0; left -= 1000) {
        mock.timers.tick(Math.min(left, 1000));
        await settle();
      }
    });
    assert.equal(running.size, 0, 'every timer was cleared');
  } finally {
    Object.assign(globalThis, real);
    mock.timers.reset();
  }
}

/** A promise with the functions that settle it. */
function deferred() {
  /** @type {(value?: any) => void} */
  let resolve = () => {};
  /** @type {(reason: unknown) => void} */
  let reject = () => {};
  const promise = new Promise((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

const stages = [
  { stage: 'init', message: '使用模型: FLUX Pro', progress: 5 },
  { stage: 'prompt_expand', message: '优化描述中...', progress: 15 },
  {
    stage: 'generating',
    message: '生成中（约 30-60 秒）...',
    progress: 30,
    tickMessage: (/** @type {number} */ s) => `生成中... ${s}s`,
  },
  { stage: 'complete', message: '生成完成', progress: 100 },
];

test('R5.8 toolTimeouts has the values of the agents’ own functions', () => {
  assert.deepEqual({ ...toolTimeouts }, { cloudProxy: 60_000, directApi: 90_000, promptExpand: 30_000 });
});

test('R5.8 progress shows the stages, rises from 30 to 80 % every 5 s, and ends at 100', async () => {
  await onFakeClock(async (advance) => {
    /** @type {any[]} */
    const events = [];
    const image = deferred();
    const run = runWithProgress(
      { tool: 'image_generate', emit: (event) => events.push(event), stages },
      ({ stage }) => {
        stage('prompt_expand');
        stage('generating');
        return image.promise;
      },
    );
    await advance(70_000);
    image.resolve('png');
    assert.equal(await run, 'png');
    const curve = [5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 65, 70].map((s) => Math.min(30 + (s / 60) * 50, 80));
    assert.deepEqual(
      events.map(({ progress }) => Math.round(progress * 1e6) / 1e6),
      [5, 15, 30, ...curve.map((p) => Math.round(p * 1e6) / 1e6), 100],
    );
    assert.deepEqual(events[0], { tool: 'image_generate', stage: 'init', message: '使用模型: FLUX Pro', progress: 5 });
    assert.equal(events[3].message, '生成中... 5s');
    assert.deepEqual(events.at(-1), { tool: 'image_generate', stage: 'complete', message: '生成完成', progress: 100 });
    const before = events.length;
    await advance(60_000);
    assert.equal(events.length, before, 'nothing is emitted afterwards');
  });
});

test('R5.8 progress never goes backwards, whatever the order of stages is', async () => {
  await onFakeClock(async (advance) => {
    /** @type {number[]} */
    const shown = [];
    const work = deferred();
    /** @type {(name: string) => void} */
    let enter = () => {};
    const emit = (/** @type {{ progress: number }} */ { progress }) => shown.push(progress);
    const run = runWithProgress({ tool: 't', emit, stages, timeoutMs: Infinity }, ({ stage }) => {
      enter = stage;
      return work.promise;
    });
    for (const name of ['generating', 'init', 'prompt_expand', 'unknown', 'generating', 'init']) {
      enter(name);
      await advance(17_000);
    }
    work.resolve();
    await run;
    for (const [index, progress] of shown.entries()) assert.ok(progress >= (shown[index - 1] ?? 0), shown.join());
    assert.ok((shown.at(-2) ?? 0) <= 80 && shown.at(-1) === 100);
  });
});

test('R5.8 a timeout aborts the signal and rejects with a ToolTimeoutError that has a text for the user', async () => {
  await onFakeClock(async (advance) => {
    /** @type {AbortSignal | undefined} */
    let seen;
    /** @type {any[]} */
    const events = [];
    const run = runWithProgress({ tool: 'image_generate', emit: (event) => events.push(event) }, ({ signal }) => {
      seen = signal;
      return new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError'))),
      );
    });
    const failed = run.catch((error) => error);
    await advance(89_000);
    assert.equal(seen?.aborted, false);
    await advance(1_000);
    const error = await failed;
    assert.ok(error instanceof ToolTimeoutError);
    assert.equal(error.code, 'TOOL_TIMEOUT');
    assert.match(error.message, /^图片生成超时。\n\nFLUX[\s\S]*建议稍后重试/);
    assert.ok(seen?.aborted && seen.reason === error);
    assert.ok(events.every(({ progress }) => progress < 100));
  });
});

test('R5.8 a timeout rejects even if the function ignores its signal', async () => {
  await onFakeClock(async (advance) => {
    const failed = runWithProgress(
      { tool: 't', timeoutMs: toolTimeouts.cloudProxy, timeoutMessage: '太久了' },
      () => new Promise(() => {}),
    );
    const caught = failed.catch((error) => error);
    await advance(60_000);
    assert.equal((await caught).message, '太久了');
  });
});

test('R5.8 an error of the function is rethrown, and 100 is never emitted', async () => {
  await onFakeClock(async (advance) => {
    const failure = new Error('no network');
    /** @type {number[]} */
    const shown = [];
    const emit = (/** @type {{ progress: number }} */ { progress }) => shown.push(progress);
    await assert.rejects(
      runWithProgress({ tool: 't', emit }, () => Promise.reject(failure)),
      failure,
    );
    await assert.rejects(
      runWithProgress({ tool: 't', emit }, () => {
        throw failure;
      }),
      failure,
    );
    await advance(100_000);
    assert.deepEqual(shown, [30, 30]);
  });
});

test('R5.8 an abort of `signal` rejects with its reason and aborts the function’s signal', async () => {
  await onFakeClock(async () => {
    const caller = new AbortController();
    /** @type {AbortSignal | undefined} */
    let seen;
    const run = runWithProgress({ tool: 't', signal: caller.signal }, ({ signal }) => {
      seen = signal;
      return new Promise(() => {});
    });
    const caught = run.catch((error) => error);
    await settle();
    caller.abort(new Error('user stopped'));
    assert.equal((await caught).message, 'user stopped');
    assert.equal(seen?.aborted, true);
    await assert.rejects(
      runWithProgress({ tool: 't', signal: caller.signal }, () => 1),
      /user stopped/,
    );
  });
});

test('R5.8 progress goes on if `emit` throws or the clock is set back', async () => {
  await onFakeClock(async (advance) => {
    const work = deferred();
    let last = 0;
    const run = runWithProgress(
      {
        tool: 't',
        emit: ({ progress }) => {
          last = progress;
          throw new Error('display');
        },
      },
      () => work.promise,
    );
    mock.timers.setTime(0);
    await advance(10_000);
    assert.ok(last > 30);
    work.resolve(1);
    assert.equal(await run, 1);
  });
});

test('R0.3 a wrong argument is an error that names the argument', async () => {
  const cases = /** @type {[any, any, RegExp][]} */ ([
    [null, () => 1, /^options: expected an object/],
    [{}, () => 1, /^options\.tool: expected a string/],
    [{ tool: 't' }, 5, /^fn: expected a function/],
    [{ tool: 't', timeoutMs: -1 }, () => 1, /^options\.timeoutMs: expected a positive/],
    [{ tool: 't', estimateMs: Number.NaN }, () => 1, /^options\.estimateMs: expected a positive/],
    [{ tool: 't', stages: [{ stage: 'a', progress: 101 }] }, () => 1, /^options\.stages\[0\]\.progress: expected/],
    [{ tool: 't', stages: [5] }, () => 1, /^options\.stages\[0\]: expected an object/],
    [{ tool: 't', emit: 5 }, () => 1, /^options\.emit: expected a function/],
    [{ tool: 't', language: 'fr' }, () => 1, /language: expected 'zh' or 'en'/],
  ]);
  for (const [options, fn, message] of cases) await assert.rejects(runWithProgress(options, fn), { message });
});
