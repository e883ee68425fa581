/** Maps a request to its upstream: the path of the client's base URL names the provider. */
import { UsageError } from '../option-values.mjs';

/**
 * `mount`: the path of its base URL, after the token; `variable`: environment variable that clients read their base URL from;
 * `pathUnderUpstream`: path between `--upstream` and the rest of the path.
 * @typedef {{ mount: string, variable: string, ownUrl: string, pathUnderUpstream: string }} Provider
 * @typedef {{ provider: Provider, base: URL, isOwn: boolean }} Upstream `isOwn`: `base` is the provider's own URL
 */

/** @type {readonly Provider[]} */ const PROVIDERS = [
  { mount: '/anthropic', variable: 'ANTHROPIC_BASE_URL', ownUrl: 'https://api.anthropic.com', pathUnderUpstream: '' },
  { mount: '/openai/v1', variable: 'OPENAI_BASE_URL', ownUrl: 'https://api.openai.com/v1', pathUnderUpstream: '/v1' },
  {
    mount: '/gemini',
    variable: 'GOOGLE_GEMINI_BASE_URL',
    ownUrl: 'https://generativelanguage.googleapis.com',
    pathUnderUpstream: '',
  },
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
    const { variable, pathUnderUpstream, ownUrl } = provider;
    const given = environment[variable];
    if (upstream === undefined && !given) return { provider, base: new URL(ownUrl), isOwn: true };
    if (upstream === undefined) return { provider, base: readUrl(variable, given ?? ''), isOwn: false };
    const url = `${upstream.replace(/\/+$/, '')}${pathUnderUpstream}`;
    return { provider, base: readUrl('--upstream', url), isOwn: false };
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
 * @returns {{ base: URL, path: string, rest: string } | undefined} `path`: path at the upstream; `rest`: path after the mount
 */
export function targetOf(upstreams, given, headers) {
  for (const { provider, base, isOwn } of upstreams) {
    const { mount } = provider;
    const rest = given.slice(mount.length);
    if (!given.startsWith(mount) || !/^(?:[/?]|$)/.test(rest)) continue;
    const isChatGpt = isOwn && mount === CHATGPT.mount && headers[CHATGPT.header] !== undefined;
    const upstream = isChatGpt ? new URL(CHATGPT.url) : base;
    const path = `${upstream.pathname.replace(/\/+$/, '')}${rest.startsWith('/') ? '' : '/'}${rest}`;
    return { base: upstream, path, rest };
  }
  return undefined;
}
