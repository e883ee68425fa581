// @ts-check
/** The APIs whose requests the gateway rewrites. */

/**
 * @typedef {object} Dialect
 * @property {string} name dialect name that the views use
 * @property {RegExp} path path of a model request
 * @property {string} list field that holds the messages
 * @property {readonly string[]} before fields that precede the messages in the provider's cache
 * @property {readonly string[]} storedBy fields which, if set, mean that the provider stores messages that are not in the request
 * @property {(event: any) => any} usageIn the usage in a JSON response, or in one event of a stream
 */

/** @type {readonly Dialect[]} */
export const DIALECTS = [
  {
    name: 'anthropic',
    path: /\/v1\/messages$/,
    list: 'messages',
    before: ['system', 'tools'],
    storedBy: ['thread'],
    usageIn: ({ usage, message }) => message?.usage ?? usage,
  },
  {
    name: 'openai-responses',
    path: /\/responses$/,
    list: 'input',
    before: ['tools', 'instructions'],
    storedBy: ['previous_response_id', 'conversation'],
    usageIn: ({ usage, response }) => response?.usage ?? usage,
  },
  {
    name: 'openai-chat',
    path: /\/chat\/completions$/,
    list: 'messages',
    before: ['tools', 'functions'],
    storedBy: [],
    usageIn: ({ usage }) => usage,
  },
  {
    name: 'gemini',
    path: /\/models\/[^/]+:(?:generateContent|streamGenerateContent)$/,
    list: 'contents',
    before: ['tools', 'systemInstruction', 'system_instruction'],
    storedBy: ['cachedContent', 'cached_content'],
    usageIn: ({ usageMetadata }) => usageMetadata,
  },
];

/** @param {string | undefined} method @param {string} path with the query @returns {Dialect | undefined} */
export function dialectOf(method, path) {
  const [name = ''] = path.split('?');
  return method === 'POST' ? DIALECTS.find((dialect) => dialect.path.test(name)) : undefined;
}

/**
 * True if the provider stores messages of the conversation that are not in the request.
 * @param {Dialect} dialect @param {Record<string, unknown>} fields
 */
export function isStoredByProvider({ storedBy }, fields) {
  return storedBy.some((field) => fields[field] !== undefined && fields[field] !== null && fields[field] !== false);
}
