/** The application's original truncation of command output. */

export function getMaxOutputLimit(): number {
  const limit = Number.parseInt(process.env.BASH_MAX_OUTPUT_LENGTH ?? '', 10);
  return limit > 0 ? Math.min(limit, 150_000) : 30_000;
}

export function truncateOutput(content: string, limit = getMaxOutputLimit()): string {
  const trimmed = content.trim();
  if (trimmed.length <= limit) return trimmed;
  const dropped = trimmed.slice(limit).split('\n').length;
  return `${trimmed.slice(0, limit)}\n\n... [${dropped} lines truncated] ...`;
}
