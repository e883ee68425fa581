// @ts-check

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
      /** @param {any[]} given */
      constructor(...given) {
        if (given.length === 0) super(now());
        else super(.../** @type {[any]} */ (given));
      }
      /** @override */
      static now = now;
    }
  );
  return () => {
    requests++;
  };
}
