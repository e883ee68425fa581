// @ts-check
'use strict';

const native = require('../native.js');

/** Flags of a row, the same as in the core: `RowFlag` in `src/layouts.rs` describes them. */
const {
  Assistant: ASSISTANT,
  Tool: TOOL,
  StatusError: STATUS_ERROR,
  HasText: HAS_TEXT,
  HasMedia: HAS_MEDIA,
  IsFirstSight: IS_FIRST_SIGHT,
  Unreadable: UNREADABLE,
  Watched: WATCHED,
  Aside: ASIDE,
  Unknown: UNKNOWN,
  Interruption: INTERRUPTION,
  Repeated: SHARES_ID,
} = native.RowFlag;
/** Mask of the flags of which a row has at most one. */ const KIND = ASSISTANT | TOOL | UNREADABLE;

/** How much of a declared call a policy depends on; the last one includes arguments of tools that no rule covers. */
const [CALL_IDS, CALL_NAMES, CALL_ARGUMENTS, ALL_ARGUMENTS] = /** @type {const} */ ([0, 1, 2, 3]);

/** In place of arguments that no rule needs. */ const NOT_READ = null;

module.exports = {
  ASIDE,
  ASSISTANT,
  ALL_ARGUMENTS,
  CALL_ARGUMENTS,
  CALL_IDS,
  CALL_NAMES,
  HAS_MEDIA,
  HAS_TEXT,
  INTERRUPTION,
  IS_FIRST_SIGHT,
  KIND,
  NOT_READ,
  SHARES_ID,
  STATUS_ERROR,
  TOOL,
  UNKNOWN,
  UNREADABLE,
  WATCHED,
};
