// @ts-check
/** A clock that advances only with an agent's requests, so that runs are the same. */

/** Approximate duration of a request in a recorded session, ms. */
export const REQUEST_MS = 20_000;

/**
 * If `START_MS` is set, this process's clock starts there and advances only with requests.
 * @returns {(() => void) | undefined} call it with each request
 */
export function startRequestClock() {
  const startMs = Number(process.env.START_MS);
  if (!Number.isFinite(startMs)) return undefined;
  let requests = 0;
  const RealDate = Date;
  const now = () => startMs + requests * REQUEST_MS;
  globalThis.Date = /** @type {any} */ (
    class extends RealDate {
      /** @param {any[]} args */
      constructor(...args) {
        if (args.length === 0) super(now());
        else super(.../** @type {[any]} */ (args));
      }
      /** @override */
      static now = now;
    }
  );
  return () => {
    requests++;
  };
}
