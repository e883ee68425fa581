/** Content encodings of bodies. A body that this Node.js version can't decode is forwarded unchanged. */
import { promisify } from 'node:util';
import zlib from 'node:zlib';

/** @typedef {(bytes: Uint8Array, options?: object) => Promise<Buffer>} Convert */
/** @typedef {{ decode: Convert, encode: Convert, decoder: () => import('node:stream').Transform }} Encoding */

const { gunzip, gzip, inflate, deflate, brotliDecompress, brotliCompress } = zlib;
/** Undefined before Node.js 22.15. */
const { zstdDecompress, zstdCompress, createZstdDecompress } = /** @type {any} */ (zlib);
/** Decodes a truncated response as far as possible. */
const LENIENT = { finishFlush: zlib.constants.Z_SYNC_FLUSH };

const GZIP = { decode: promisify(gunzip), encode: promisify(gzip), decoder: () => zlib.createGunzip(LENIENT) };
/** The default quality takes seconds for a long conversation. */
const BROTLI = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } };

/** @type {Map<string, Encoding>} */ const ENCODINGS = new Map([
  ['gzip', GZIP],
  ['x-gzip', GZIP],
  ['deflate', { decode: promisify(inflate), encode: promisify(deflate), decoder: () => zlib.createInflate(LENIENT) }],
  [
    'br',
    {
      decode: promisify(brotliDecompress),
      encode: (bytes) => promisify(brotliCompress)(bytes, BROTLI),
      decoder: () => zlib.createBrotliDecompress(),
    },
  ],
]);
if (zstdDecompress !== undefined) {
  const [decode, encode] = /** @type {[Convert, Convert]} */ (
    [zstdDecompress, zstdCompress].map((one) => promisify(one))
  );
  ENCODINGS.set('zstd', { decode, encode, decoder: () => createZstdDecompress() });
}

/** @param {string | undefined} header `content-encoding` @returns {Encoding | null | undefined} null if not encoded; undefined if unknown */
export function encodingOf(header) {
  const name = (header ?? 'identity').trim().toLowerCase();
  return name === 'identity' || name === '' ? null : ENCODINGS.get(name);
}
