// @ts-check
'use strict';

const { deliverEvents, isLogWanted } = require('../log.js');

/** @typedef {import('../../binding-cli.js').HttpLlmOutcome} Outcome */

/** @param {string} message @param {Record<string, string | number | undefined>} fields */
function debugEvent(message, fields) {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  return {
    level: 'debug',
    message,
    fields: present.map(([key, value]) => (typeof value === 'string' ? { key, text: value } : { key, number: value })),
  };
}

/** Logs each attempt of a request and the request itself: figures and codes, no content. @param {Outcome} request */
function logAttempts({ attempts, durationMs, failure }) {
  if (!isLogWanted()) return;
  const attemptEvents = attempts.flatMap(({ status, outcome, durationMs: duration_ms, waitMs: wait_ms }, index) => {
    const attempt = index + 1;
    const answered = debugEvent('model request answered', { attempt, outcome, status, duration_ms });
    if (wait_ms === undefined) return [answered];
    return [answered, debugEvent('model request repeated', { attempt: attempt + 1, wait_ms })];
  });
  const outcome = failure?.code ?? 'ok';
  const fields = { outcome, attempts: attempts.length, duration_ms: durationMs };
  deliverEvents(/** @type {any} */ ([...attemptEvents, debugEvent('model request done', fields)]));
}

module.exports = { logAttempts };
