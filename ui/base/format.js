// @ts-check
import format from '../../lib/history/format.js';

export const { formatChange, formatCount, formatDuration, formatShare, formatShort, formatTime, formatUsd } = format;
