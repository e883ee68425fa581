// @ts-check
/** Figures and times as people of each language read them; the same on a page and in a terminal. */
import format from '../../lib/history/format.js';

export const { formatChange, formatCount, formatDuration, formatShare, formatShort, formatTime, formatUsd } = format;
