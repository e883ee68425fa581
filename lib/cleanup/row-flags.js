// @ts-check
'use strict';

/**
 * What a message is to the rules, in the bits that the core reads (`src/wire.rs`), and one more for this side.
 */
const KIND = 3;
const ASSISTANT = 1;
const TOOL = 2;
/** Reading the message throws. It is left alone like any other, but read again when it comes back. */
const UNREADABLE = 3;
const STATUS_ERROR = 4;
const HAS_TEXT = 8;
/** Some rule depends on the row's content, timestamp or status. */
const WATCHED = 16;
/** The row has images or files beside its text. */
const HAS_MEDIA = 32;

/** The row's time is when it was first seen as it is. */
const IS_FIRST_SIGHT = 64;

/** How much of a declared call a policy depends on. */
const CALL_IDS = 0;
const CALL_NAMES = 1;
const CALL_ARGUMENTS = 2;

/** Stands for the arguments of a call that no rule looks into. */
const NOT_READ = null;

module.exports = {
  ASSISTANT,
  CALL_ARGUMENTS,
  CALL_IDS,
  CALL_NAMES,
  HAS_MEDIA,
  HAS_TEXT,
  IS_FIRST_SIGHT,
  KIND,
  NOT_READ,
  STATUS_ERROR,
  TOOL,
  UNREADABLE,
  WATCHED,
};
