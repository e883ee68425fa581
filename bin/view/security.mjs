// @ts-check
/** Access checks: the client needs the token and must use the server's own host name. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** @returns {string} 256 bits */
export function newToken() {
  return randomBytes(32).toString('base64url');
}

/** Constant-time comparison. @param {string} a @param {string} b */
export function isSame(a, b) {
  const digest = (/** @type {string} */ text) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

/** @param {import('node:http').IncomingMessage} request @param {string} token */
export function hasToken({ headers }, token) {
  const [, given] = /^Bearer (\S+)$/i.exec(headers.authorization ?? '') ?? [];
  return given !== undefined && isSame(given, token);
}

/** Rejects DNS rebinding: a foreign page whose domain points to 127.0.0.1 sends that domain as host. @param {import('node:http').IncomingMessage} request @param {number} port */
export function isOwnHost({ headers }, port) {
  return [`127.0.0.1:${port}`, `localhost:${port}`].includes(headers.host ?? '');
}

/** Only our own scripts run, requests go only to this server, and no other page may frame this one. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  // For saving the picture of the bill.
  'img-src blob:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const securityHeaders = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};
