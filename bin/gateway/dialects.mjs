// @ts-check
/** What the gateway has to know of each API that it reads. */

/**
 * @typedef {object} Dialect
 * @property {string} name as the views call it
 * @property {RegExp} path of a request for an answer
 * @property {string} list the field with the messages
 * @property {readonly string[]} before fields that the provider's cache sees before the messages
 * @property {readonly string[]} kept fields that say that the provider keeps messages which the request does not hold
 * @property {(event: any) => any} usageIn the usage in a JSON answer, or in one event of a stream
 */

/** @type {readonly Dialect[]} */
export const DIALECTS = [
  {
    name: 'anthropic',
    path: /\/v1\/messages$/,
    list: 'messages',
    before: ['system', 'tools'],
    kept: ['thread'],
    usageIn: ({ usage, message }) => message?.usage ?? usage,
  },
  {
    name: 'openai-responses',
    path: /\/responses$/,
    list: 'input',
    before: ['tools', 'instructions'],
    kept: ['previous_response_id', 'conversation'],
    usageIn: ({ usage, response }) => response?.usage ?? usage,
  },
  {
    name: 'openai-chat',
    path: /\/chat\/completions$/,
    list: 'messages',
    before: ['tools', 'functions'],
    kept: [],
    usageIn: ({ usage }) => usage,
  },
  {
    name: 'gemini',
    path: /\/models\/[^/]+:(?:generateContent|streamGenerateContent)$/,
    list: 'contents',
    before: ['tools', 'systemInstruction', 'system_instruction'],
    kept: ['cachedContent', 'cached_content'],
    usageIn: ({ usageMetadata }) => usageMetadata,
  },
];

/** @param {string | undefined} method @param {string} path with the query @returns {Dialect | undefined} */
export function dialectOf(method, path) {
  const [name = ''] = path.split('?');
  return method === 'POST' ? DIALECTS.find((dialect) => dialect.path.test(name)) : undefined;
}

/** Whether the provider has messages of the conversation that the request does not hold. @param {Dialect} dialect @param {Record<string, unknown>} fields */
export function isKeptByProvider({ kept }, fields) {
  return kept.some((field) => fields[field] !== undefined && fields[field] !== null && fields[field] !== false);
}
