import type { AgentMessage, sanitizeToolResult } from '../../index.js';

/**
 * Drop-in replacements for the three functions of an application's own `messageCleanup.ts`, with the same signatures: swap the import. Same rules
 * as in the package's root, without options and reports. Also exports `sanitizeToolResult` under the applications' own name.
 */

/**
 * The root's `sanitizeToolResult`, which in `metadata` also removes each text over 10,000 units that begins with `data:` or contains only base64
 * characters.
 */
export const sanitizeToolResultForHistory: typeof sanitizeToolResult;

/** Removes, in place, tool calls without results and results without calls, until nothing changes. */
export function cleanOrphanedToolCalls<T extends AgentMessage>(messages: T[]): void;

/** Replaces, in place, terminal results older than 15 minutes: a copy with a placeholder takes the message's slot. */
export function simplifyOutdatedTerminalResults<T extends AgentMessage>(messages: T[]): void;

/** Replaces, in place, file reads beyond the newest five of every path they cover: a copy with a placeholder takes the slot. */
export function simplifyHistoricalFileReads<T extends AgentMessage>(messages: T[]): void;
