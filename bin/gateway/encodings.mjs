// @ts-check
/** Content encodings of bodies. What this version of Node.js can't decode passes as it came. */
import { promisify } from 'node:util';
import zlib from 'node:zlib';

/** @typedef {(bytes: Uint8Array, options?: object) => Promise<Buffer>} Convert */
/** @typedef {{ decode: Convert, encode: Convert, decoder: () => import('node:stream').Transform }} Encoding */

const { gunzip, gzip, inflate, deflate, brotliDecompress, brotliCompress } = zlib;
/** Of Node.js 22.15 and later. */
const { zstdDecompress, zstdCompress, createZstdDecompress } = /** @type {any} */ (zlib);
/** The rest of an answer that was cut off is read as far as it goes. */
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
        // The default takes seconds for a long conversation.
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

/** @param {string | undefined} header `content-encoding` @returns {Encoding | null | undefined} null for bytes as they are; undefined if it is unknown */
export function encodingOf(header) {
  const name = (header ?? 'identity').trim().toLowerCase();
  return name === 'identity' || name === '' ? null : ENCODINGS.get(name);
}
