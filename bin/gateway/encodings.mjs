// @ts-check
/** Content encodings of bodies. A body that this Node.js version can't decode is forwarded unchanged. */
import { promisify } from 'node:util';
import zlib from 'node:zlib';

/** @typedef {(bytes: Uint8Array, options?: object) => Promise<Buffer>} Convert */
/** @typedef {{ decode: Convert, encode: Convert, decoder: () => import('node:stream').Transform }} Encoding */

/** Undefined before Node.js 22.15. */
const { zstdDecompress, zstdCompress, createZstdDecompress } = /** @type {any} */ (zlib);
/** Decodes a truncated response as far as possible. */
const LENIENT = { finishFlush: zlib.constants.Z_SYNC_FLUSH };
/** The default quality takes seconds for a long conversation. */
const BROTLI = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } };

/** @param {any} decode @param {any} encode @param {Encoding['decoder']} decoder @returns {Encoding} */
function encodingBy(decode, encode, decoder, options = {}) {
  return { decode: promisify(decode), encode: (bytes) => promisify(encode)(bytes, options), decoder };
}

const GZIP = encodingBy(zlib.gunzip, zlib.gzip, () => zlib.createGunzip(LENIENT));
/** @type {Map<string, Encoding>} */ const ENCODINGS = new Map([
  ['gzip', GZIP],
  ['x-gzip', GZIP],
  ['deflate', encodingBy(zlib.inflate, zlib.deflate, () => zlib.createInflate(LENIENT))],
  ['br', encodingBy(zlib.brotliDecompress, zlib.brotliCompress, () => zlib.createBrotliDecompress(), BROTLI)],
]);
if (zstdDecompress !== undefined) {
  ENCODINGS.set('zstd', encodingBy(zstdDecompress, zstdCompress, createZstdDecompress));
}

/** Null if not encoded; undefined if unknown. @param {string | undefined} header `content-encoding` */
export function encodingOf(header) {
  const name = (header ?? 'identity').trim().toLowerCase();
  return name === 'identity' || name === '' ? null : ENCODINGS.get(name);
}
