// @ts-check
/** Says which SDK's messages an unrecognised form resembles. */

/** @type {Readonly<Record<import('../index.mjs').MessageForm, string | null>>} */
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

/** @param {import('../index.mjs').UnrecognisedForms} forms @returns {string} such as `looks like AI SDK` */
export function looksLike(forms) {
  const known = Object.keys(forms).flatMap((form) => sdkNames[/** @type {keyof typeof sdkNames} */ (form)] ?? []);
  return known.length === 0 ? 'looks like nothing that is known' : `looks like ${known.join(' and ')}`;
}
