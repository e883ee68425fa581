import type { AgentMessage, sanitizeToolResult } from '../../index.js';

/**
 * The three functions of a host's own `messageCleanup.ts`, with the same signatures: swap the import.
 * The same rules as in the package's root, without options and reports. And the hosts' own name for a function of the root.
 */

/**
 * The root's `sanitizeToolResult`, and in `metadata` what the hosts' own function of this name removes: each text over 10,000 units that
 * begins with `data:` or has no other letters than base64's.
 */
export const sanitizeToolResultForHistory: typeof sanitizeToolResult;

/** Removes, in place, tool calls without results and results without calls, until nothing changes. */
export function cleanOrphanedToolCalls<T extends AgentMessage>(messages: T[]): void;

/** Replaces, in place, the slots of terminal results older than 15 minutes by copies with a placeholder. */
export function simplifyOutdatedTerminalResults<T extends AgentMessage>(messages: T[]): void;

/** Replaces, in place, the slots of file reads beyond the newest five of every path they cover. */
export function simplifyHistoricalFileReads<T extends AgentMessage>(messages: T[]): void;
