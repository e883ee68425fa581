// @ts-check
'use strict';

const native = require('../native.js');

const { RowFlag } = native;

/** Flags of a row, which `RowFlag` in `src/layouts.rs` describes, and how much of a declared call a policy depends on. */
module.exports = {
  ASIDE: RowFlag.Aside,
  ASSISTANT: RowFlag.Assistant,
  HAS_MEDIA: RowFlag.HasMedia,
  HAS_TEXT: RowFlag.HasText,
  INTERRUPTION: RowFlag.Interruption,
  IS_FIRST_SIGHT: RowFlag.IsFirstSight,
  SHARES_ID: RowFlag.Repeated,
  STATUS_ERROR: RowFlag.StatusError,
  TOOL: RowFlag.Tool,
  UNKNOWN: RowFlag.Unknown,
  UNREADABLE: RowFlag.Unreadable,
  WATCHED: RowFlag.Watched,
  /** Mask of the flags of which a row has at most one. */
  KIND: RowFlag.Assistant | RowFlag.Tool | RowFlag.Unreadable,
  CALL_IDS: 0,
  CALL_NAMES: 1,
  CALL_ARGUMENTS: 2,
  /** Includes arguments of tools that no rule covers. */
  ALL_ARGUMENTS: 3,
  /** In place of arguments that no rule needs. */
  NOT_READ: null,
};
