// @ts-check
'use strict';

const { checkOptions, nowFrom, optional, readFlag, readText } = require('../arguments.js');
const { OPTIONS } = require('../option-names.js');

/** What tells a conversation, beside its messages. @typedef {{ id?: string | undefined, scope?: string, isSide?: boolean }} Told */
/** @typedef {import('./context-view.js').Ahead} Ahead */

/** @param {unknown} options @returns {Told & { now: number, ahead: Ahead | undefined }} */
function toldBy(options) {
  const given = checkOptions(options, OPTIONS.conversation);
  return {
    id: optional(readText, 'options.conversationId', given?.conversationId),
    isSide: optional(readFlag, 'options.side', given?.side) ?? false,
    scope: typeof given?.scope === 'string' ? given.scope : '',
    ahead: /** @type {Ahead | undefined} */ (given?.ahead),
    now: nowFrom(given),
  };
}

/** What the view itself takes. @param {unknown} options */
function viewOptions(options) {
  const { conversationId: _, scope: __, ahead: ___, ...rest } = checkOptions(options, OPTIONS.conversation) ?? {};
  return rest;
}

module.exports = { toldBy, viewOptions };
