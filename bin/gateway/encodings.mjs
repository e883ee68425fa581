// @ts-check
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

/** @type {ReadonlyMap<string, Encoding>} */
const ENCODINGS = new Map(
  /** @type {[string, Encoding][]} */ ([
    ['gzip', { decode: promisify(gunzip), encode: promisify(gzip), decoder: () => zlib.createGunzip(LENIENT) }],
    ['x-gzip', { decode: promisify(gunzip), encode: promisify(gzip), decoder: () => zlib.createGunzip(LENIENT) }],
    ['deflate', { decode: promisify(inflate), encode: promisify(deflate), decoder: () => zlib.createInflate(LENIENT) }],
    [
      'br',
      {
        decode: promisify(brotliDecompress),
        // The default quality takes seconds for a long conversation.
        encode: (bytes) => promisify(brotliCompress)(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } }),
        decoder: () => zlib.createBrotliDecompress(),
      },
    ],
    ...(zstdDecompress === undefined
      ? []
      : [
          /** @type {[string, Encoding]} */ ([
            'zstd',
            {
              decode: promisify(zstdDecompress),
              encode: promisify(zstdCompress),
              decoder: () => createZstdDecompress(),
            },
          ]),
        ]),
  ]),
);

/** @param {string | undefined} header `content-encoding` @returns {Encoding | null | undefined} null if not encoded; undefined if unknown */
export function encodingOf(header) {
  const name = (header ?? 'identity').trim().toLowerCase();
  return name === 'identity' || name === '' ? null : ENCODINGS.get(name);
}
