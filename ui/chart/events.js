// @ts-check
/**
 * What the chart marks, and by which sign: a new context, a summary, or a lost cache (in pictures `bust`). A sign has a
 * shape, filled for a lost cache and hollow for others, and a name.
 * @import { RequestPicture } from '../picture.js'
 * @import { Words } from '../picture/words.js'
 * @typedef {'compaction' | 'results-cleared' | 'rewind' | 'changed'} Beginning why a new context begins
 * @typedef {'idle' | 'compaction' | 'edited-prefix' | 'unknown'} Cause why the cache was lost
 * @typedef {Cause | `begins ${Beginning}` | 'compacts'} Sign
 * @typedef {ReturnType<typeof eventsOf>[number]} PictureEvent
 * @typedef {{ sign: Sign, count: number, tokens: number, cost: number }} SignSum `tokens`, `cost`: of lost caches
 */
import { rounded } from '../base/dom.js';

/** @type {Cause[]} */ const CAUSES = ['idle', 'compaction', 'edited-prefix', 'unknown'];
/** @type {Beginning[]} */
const BEGINNINGS = ['compaction', 'results-cleared', 'rewind', 'changed'];

/** Half the size of a sign, CSS pixels. */ const R = 4;

/** @typedef {(x: number, y: number) => string} Shape an SVG path; `x` and `y`: its centre */
/** @type {Shape} */ const triangle = (x, y) => `M${x} ${y - R}L${x + R + 0.5} ${y + R}H${x - R - 0.5}Z`;
/** @type {Shape} */
const diamond = (x, y) => `M${x} ${y - R - 1}L${x + R + 1} ${y}L${x} ${y + R + 1}L${x - R - 1} ${y}Z`;
/** @type {Shape} */ const square = (x, y) => `M${x - R} ${y - R}h${2 * R}v${2 * R}h${-2 * R}Z`;

/** @type {Record<Sign, Shape>} */
const SHAPES = {
  idle: (x, y) => `M${x - R} ${y}a${R} ${R} 0 1 0 ${2 * R} 0a${R} ${R} 0 1 0 ${-2 * R} 0Z`,
  compaction: triangle,
  'edited-prefix': diamond,
  unknown: square,
  'begins compaction': (x, y) => `M${x - R - 0.5} ${y - R}H${x + R + 0.5}L${x} ${y + R}Z`,
  'begins results-cleared': triangle,
  'begins rewind': square,
  'begins changed': diamond,
  compacts: (x, y) => `M${x - R} ${y}h${2 * R}M${x} ${y - R}v${2 * R}`,
};

/** One event for each request that has a sign. @param {RequestPicture[]} requests */
export function eventsOf(requests) {
  return requests.flatMap((one, request) => {
    const signs = signsOf(one);
    return signs.length > 0 ? [{ request, signs, bust: one.bust }] : [];
  });
}

/** A later version may add causes and beginnings. @param {RequestPicture} request @returns {Sign[]} */
function signsOf({ begins = null, isCompaction, bust = null }) {
  /** @type {Sign[]} */ const signs = [];
  if (begins !== null) signs.push(`begins ${BEGINNINGS.find((one) => one === begins) ?? 'changed'}`);
  else if (isCompaction) signs.push('compacts');
  if (bust !== null) signs.push(CAUSES.find((one) => one === bust.cause) ?? 'unknown');
  return signs;
}

/** Sums for the legend. @param {PictureEvent[]} events @returns {SignSum[]} in the order of their first events */
export function signSums(events) {
  /** @type {Map<Sign, SignSum>} */ const sums = new Map();
  for (const { signs, bust } of events) {
    for (const sign of signs) {
      const sum = sums.get(sign) ?? { sign, count: 0, tokens: 0, cost: 0 };
      sums.set(sign, sum);
      sum.count++;
      if (!isCacheLoss(sign)) continue;
      sum.tokens += bust?.tokens ?? 0;
      sum.cost += bust?.cost ?? 0;
    }
  }
  return [...sums.values()];
}

/** @param {Sign} sign */
export function isCacheLoss(sign) {
  return CAUSES.some((cause) => cause === sign);
}

/** SVG path of a sign. @param {Sign} sign @param {number} x @param {number} y of the centre */
export function signPath(sign, x, y) {
  return SHAPES[sign](rounded(x), y);
}

/** @param {Words} words @param {Sign} sign @returns {string} */
export function signName(words, sign) {
  if (sign === 'compacts') return words.compacts;
  if (isCacheLoss(sign)) return words.causes[/** @type {keyof Words['causes']} */ (sign)];
  return words.begins[/** @type {keyof Words['begins']} */ (sign.slice('begins '.length))];
}

/** A request's signs in words. @param {Words} words @param {RequestPicture} request @returns {string[]} */
export function signTexts(words, request) {
  return signsOf(request).map((sign) => {
    const name = signName(words, sign);
    if (!isCacheLoss(sign) || request.bust === null) return name;
    return `${name}${words.colon}${words.cacheLossAt(words.shortNumber(request.bust.tokens))}`;
  });
}
