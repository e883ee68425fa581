// @ts-check
/** Kinds of options, each with values that it refuses, for `option-table.mjs`. */

/** A value of each kind. Each option is tested with those of all kinds that it doesn't accept. */
const VALUES = {
  boolean: true,
  number: 1,
  text: 'x',
  bigint: 5n,
  symbol: Symbol('x'),
  function: () => 1,
  list: [],
  object: {},
};
/** @typedef {keyof typeof VALUES} Kind */
/**
 * @typedef {object} Option
 * @property {Kind[]} types kinds that it accepts
 * @property {unknown[]} [wrong] further values that it refuses
 * @property {boolean} [isRequired]
 * @property {Kind} [items] kind of a list's elements
 * @property {boolean} [isNullMeaningful] null isn't the same as undefined
 */

/** @param {unknown[]} wrong @returns {Option} */
export const text = (...wrong) => ({ types: ['text'], wrong });
/** @param {unknown[]} wrong @returns {Option} */
export const number = (...wrong) => ({ types: ['number'], wrong: [Number.NaN, -1, ...wrong] });
export const count = number(1.5, 2 ** 60, Number.POSITIVE_INFINITY);
export const boolean = /** @type {Option} */ ({ types: ['boolean'] });
export const callback = /** @type {Option} */ ({ types: ['function'] });
export const texts = /** @type {Option} */ ({ types: ['list'], items: 'text', wrong: [new Array(2 ** 23)] });
export const list = /** @type {Option} */ ({ types: ['list'], wrong: [new Array(2 ** 23)] });
export const language = text('fr', 'ZH', 'zh-CN', '');
export const time = /** @type {Option} */ ({ types: ['number'], wrong: [Number.NaN, Number.NEGATIVE_INFINITY] });
/** @param {Option} option */
export const required = (option) => ({ ...option, isRequired: true });

/** An AbortSignal; `{}`, or an object with some of its fields, is refused. */
export const signal = /** @type {Option} */ ({
  types: [],
  wrong: [{}, { aborted: false }, { aborted: false, addEventListener() {} }, new Date(), []],
});

/** Values of types that the option doesn't accept. @param {Option} option @returns {unknown[]} */
export function wrongTypes({ types, items, isRequired = false }) {
  const others = Object.entries(VALUES).filter(([kind]) => !types.includes(/** @type {Kind} */ (kind)));
  const missing = isRequired ? [undefined, null] : [];
  const within = items === undefined ? [] : [[1], [{}], [undefined]];
  return [...others.map(([, value]) => value), ...missing, ...within];
}
