// @ts-check
/** Formats figures, amounts, times and lists for people. */
const numberFormat = new Intl.NumberFormat('en-US');

/** @param {unknown} error what was thrown */
export const messageOf = (error) => (error instanceof Error ? error.message : String(error));

/** @param {number} part @param {number} whole @returns {string} empty if `whole` is 0 */
export const percentOf = (part, whole) => (whole > 0 ? `${((part / whole) * 100).toFixed(1)} %` : '');

/** @param {readonly unknown[]} list @param {number} maxCount @returns {string} such as `a, b, …` */
export function firstOf(list, maxCount) {
  return `${list.slice(0, maxCount).join(', ')}${list.length > maxCount ? ', …' : ''}`;
}

/** @param {number} value */
export const formatCount = (value) => numberFormat.format(value).replace('-', '−');

/** @param {number} amount @param {string} one @param {string} [many] */
export const plural = (amount, one, many = `${one}s`) => `${formatCount(amount)} ${amount === 1 ? one : many}`;

/** @param {{ before: number, after: number }} figures @returns {string} the saved share */
export function savedShare({ before, after }) {
  if (before === 0 || before === after) return '0 %';
  const percent = ((before - after) / before) * 100;
  // A small remainder must not be rounded to "0 %" or "100 %".
  const rounded = Math.round(percent);
  if (percent > 0 && rounded === 0) return '<1 %';
  if (percent < 100 && rounded === 100) return '>99 %';
  return `${formatCount(rounded === 0 ? 0 : rounded)} %`;
}

/** @param {number} durationMs */
export const milliseconds = (durationMs) => `${durationMs.toFixed(durationMs < 10 ? 2 : 0)} ms`;

/** @param {number} ms */
export function instant(ms) {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? `${ms} ms` : `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** @param {number} ms @returns {string} a coarse duration */
export function coarseDuration(ms) {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return `${(ms / 1000).toFixed(1)} s`;
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** @param {number} tokens @returns {string} such as `1.5 M` or `20.0 k` */
export function tokensText(tokens) {
  const size = Math.abs(tokens);
  if (size >= 1e6) return `${(tokens / 1e6).toFixed(size >= 1e8 ? 0 : 1)} M`;
  return size >= 1e3 ? `${(tokens / 1e3).toFixed(size >= 1e5 ? 0 : 1)} k` : formatCount(Math.round(tokens));
}

/** @param {number | null} usd null if the price is not known @param {number} inputTokens the cost, shown then */
export function money(usd, inputTokens) {
  if (usd === null) return `${tokensText(inputTokens)} tok`;
  return usd > 0 && usd < 0.01 ? '<$0.01' : `$${usd.toFixed(2)}`;
}

/** The whole bill, output included. @param {import('./accounts/read.mjs').Bill} bill */
export const paidText = ({ waterfall: { currency, paid } }) => money(currency === 'usd' ? paid : null, paid);

/** @param {number | null} share @returns {string} such as `+2.5 %` */
export function signedPercent(share) {
  if (share === null || !Number.isFinite(share)) return '';
  const text = `${Math.abs(share * 100).toFixed(1)} %`;
  return text === '0.0 %' ? text : `${share < 0 ? '−' : '+'}${text}`;
}

/** By the form of their messages. @type {Readonly<Record<import('../index.mjs').MessageForm, string | null>>} */
const sdkNames = {
  'ai-sdk': 'AI SDK',
  anthropic: 'Anthropic',
  bedrock: 'Bedrock',
  gemini: 'Gemini',
  langchain: 'LangChain',
  'openai-agents': 'OpenAI Agents',
  'openai-responses': 'OpenAI Responses',
  opencode: 'opencode',
  pi: 'pi',
  other: null,
};

/** Such as `looks like AI SDK`. @param {import('../index.mjs').UnrecognisedForms} forms */
export function looksLike(forms) {
  const known = Object.keys(forms).flatMap((form) => sdkNames[/** @type {keyof typeof sdkNames} */ (form)] ?? []);
  return known.length === 0 ? 'looks like nothing that is known' : `looks like ${known.join(' and ')}`;
}
