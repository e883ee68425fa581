// @ts-check
/** Maps a request to its upstream: the path of the client's base URL names the provider. */
import { UsageError } from '../option-values.mjs';

/**
 * @typedef {{ mount: string, variable: string, ownUrl: string, pathUnderUpstream?: string }} Provider `mount`: path of
 *   its base URL, after the token; `variable`: environment variable that clients read the base URL from;
 *   `pathUnderUpstream`: path between `--upstream` and the rest of the path
 * @typedef {{ provider: Provider, base: URL, isOwn: boolean }} Upstream `isOwn`: `base` is the provider's own URL
 */

/** @type {readonly Provider[]} */ const PROVIDERS = [
  { mount: '/anthropic', variable: 'ANTHROPIC_BASE_URL', ownUrl: 'https://api.anthropic.com' },
  { mount: '/openai/v1', variable: 'OPENAI_BASE_URL', ownUrl: 'https://api.openai.com/v1', pathUnderUpstream: '/v1' },
  { mount: '/gemini', variable: 'GOOGLE_GEMINI_BASE_URL', ownUrl: 'https://generativelanguage.googleapis.com' },
];

/** Upstream of Codex if the user logged in with ChatGPT; a header indicates it. */
const CHATGPT = { header: 'chatgpt-account-id', mount: '/openai/v1', url: 'https://chatgpt.com/backend-api/codex' };

/**
 * `--upstream` takes precedence over the environment's base URL, and that over the provider's own.
 * @param {string | undefined} upstream @param {NodeJS.ProcessEnv} environment @returns {Upstream[]}
 * @throws {UsageError}
 */
export function readUpstreams(upstream, environment) {
  return PROVIDERS.map((provider) => {
    const { variable, pathUnderUpstream = '', ownUrl } = provider;
    const given = environment[variable];
    if (upstream === undefined && !given) return { provider, base: new URL(ownUrl), isOwn: true };
    const url = upstream === undefined ? given : `${upstream.replace(/\/+$/, '')}${pathUnderUpstream}`;
    return { provider, base: readUrl(upstream === undefined ? variable : '--upstream', url ?? ''), isOwn: false };
  });
}

/** @param {string} name @param {string} text */
function readUrl(name, text) {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`${name}: expected an address that begins with https:// or http://`);
  }
  return url;
}

/**
 * @param {readonly Upstream[]} upstreams @param {string} given the path after the token, with the query
 * @param {import('node:http').IncomingHttpHeaders} headers
 * @returns {{ base: URL, path: string, rest: string } | undefined} `path`: at the upstream; `rest`: after the mount
 */
export function targetOf(upstreams, given, headers) {
  const isMounted = (/** @type {string} */ mount) =>
    given.startsWith(mount) && /^(?:[/?]|$)/.test(given.slice(mount.length));
  const upstream = upstreams.find(({ provider }) => isMounted(provider.mount));
  if (upstream === undefined) return undefined;
  const { mount } = upstream.provider;
  const isChatGpt = upstream.isOwn && mount === CHATGPT.mount && headers[CHATGPT.header] !== undefined;
  const base = isChatGpt ? new URL(CHATGPT.url) : upstream.base;
  const rest = given.slice(mount.length);
  return { base, path: `${base.pathname.replace(/\/+$/, '')}${rest.startsWith('/') ? '' : '/'}${rest}`, rest };
}
