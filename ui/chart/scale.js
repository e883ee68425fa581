// @ts-check
/** Ticks of both axes, and where a request is on the horizontal one. */

/**
 * Axis ticks that are 1, 2, 2.5 or 5 times a power of ten apart; the last one is at or above `most`.
 * @param {number} most @param {number} maxSteps
 */
export function ticks(most, maxSteps) {
  if (!(most > 0)) return [0, 1];
  const raw = most / maxSteps;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = ([1, 2, 2.5, 5].find((factor) => factor * power >= raw * (1 - 1e-9)) ?? 10) * power;
  const count = Math.ceil(most / step - 1e-9);
  // Repeated addition would yield 0.30000000000000004.
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}

/**
 * Requests to label: the first one, and those with round numbers.
 * @param {number} count of requests @param {number} maxLabels @returns {number[]}
 */
export function requestTicks(count, maxLabels) {
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000].find((one) => count / one <= maxLabels) ?? 10_000;
  const requests = [];
  for (let number = step; number <= count; number += step) requests.push(number - 1);
  return requests[0] === 0 || count === 0 ? requests : [0, ...requests];
}

/**
 * @typedef {{ left: number, width: number, count: number }} Band `count` requests side by side with equal width, in CSS pixels
 */

/** The left edge of a request. @param {Band} band @param {number} request */
export function xOf({ left, width, count }, request) {
  return left + (width * request) / Math.max(1, count);
}

/** @param {Band} band @param {number} x @returns {number} the nearest request */
export function requestAt({ left, width, count }, x) {
  const request = Math.floor(((x - left) / width) * count);
  return Math.min(count - 1, Math.max(0, request));
}
