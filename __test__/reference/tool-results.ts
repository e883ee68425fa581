/**
 * Reference for outputs and tool results (R4, R5): the agents' own functions in plain TypeScript, with the differences
 * of docs/spec (surrogate pairs, depth, forms of base64). Tests compare with it, and benches measure against it.
 */

const DEFAULT_LIMIT = 30_000;
const MAX_LIMIT = 150_000;

export function trimEmptyLines(content: string): string {
  const lines = content.split('\n');
  let start = 0;
  while (start < lines.length && lines[start]!.trim() === '') start++;
  let end = lines.length - 1;
  while (end > start && lines[end]!.trim() === '') end--;
  return lines.slice(start, end + 1).join('\n');
}

export function getMaxOutputLimit(value: string | undefined): number {
  if (!value) return DEFAULT_LIMIT;
  const limit = Number.parseInt(value, 10);
  if (Number.isNaN(limit) || limit <= 0) return DEFAULT_LIMIT;
  return Math.min(limit, MAX_LIMIT);
}

function isPair(text: string, at: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at, at + 2));
}

export function truncateOutput(content: string, limit: number): string {
  const trimmed = trimEmptyLines(content);
  if (trimmed.length <= limit) return trimmed;
  const cut = limit > 0 && isPair(trimmed, limit - 1) ? limit - 1 : limit;
  const dropped = trimmed.slice(cut).split('\n').length;
  return `${trimmed.slice(0, cut)}\n\n... [${dropped} lines truncated] ...`;
}

const LARGE_DATA_FIELDS = ['imageBase64', 'screenshotData', 'pdfImages', 'audioData', 'videoData'];
const SIZE_THRESHOLD = 10_000;
const SIZE_FLOOR = 100;

const kilobytes = (units: number): string => `${(units / 1024).toFixed(1)}KB`;

function unitsOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, inner) => sum + unitsOf(inner), 0);
}

const LONGEST_REFERENCE = 4_096;

/** A URL or a path refers to data, and is none itself. */
function isReference(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no path contains them
  if (text.length > LONGEST_REFERENCE || /[\0-\x1f]/.test(text)) return false;
  if (/^[a-z][a-z0-9]*:\/\//i.test(text)) return true;
  return /^([a-z]:[\\/]|\/|\.{1,2}\/|~\/|\\\\)/i.test(text) && !isBase64(text);
}

function isDataUrl(text: string): boolean {
  return /^data:(\w+\/[\w.+-]+)?(;[\w=-]+)*,/.test(text);
}

function isBase64(text: string): boolean {
  return /^[A-Za-z0-9+/]+={0,2}$|^[\w-]+={0,2}$/.test(text);
}

const FEWEST_SYMBOLS = 24;

/** True for encoded data, not for repetitions, DNA, hexadecimal digits or identifiers. Magic bytes of files aren't checked. */
function looksEncoded(text: string): boolean {
  if (![/[A-Z]/, /[a-z]/, /[0-9]/].every((kind) => kind.test(text))) return false;
  if (new Set(text.replace(/=+$/, '')).size < FEWEST_SYMBOLS) return false;
  const hasBothOthers = /[+-]/.test(text) && /[/_]/.test(text);
  return hasBothOthers || /^[\x20-\x7e\t\n\r]*$/.test(Buffer.from(text, 'base64').toString('latin1'));
}

function referenceUnitsOf(value: unknown): number {
  if (typeof value === 'string') return isReference(value) ? value.length : 0;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, inner) => sum + referenceUnitsOf(inner), 0);
}

function sanitizeValue(value: unknown): unknown {
  if (typeof value === 'string') {
    const isData = value.length > SIZE_THRESHOLD && (isDataUrl(value) || (isBase64(value) && looksEncoded(value)));
    return isData ? `[LARGE_DATA_FILTERED: ${kilobytes(value.length)}]` : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sanitizeValue);
  // fromEntries defines properties: a key may be __proto__.
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const known = LARGE_DATA_FIELDS.includes(key) && unitsOf(inner) - referenceUnitsOf(inner) > SIZE_FLOOR;
      return [key, known ? `[BINARY_DATA_FILTERED: ${kilobytes(unitsOf(inner))}]` : sanitizeValue(inner)];
    }),
  );
}

/** Only for acyclic data whose encoded strings have neither line breaks nor other text. */
export function sanitizeToolResult<T>(result: T): T {
  return sanitizeValue(result) as T;
}

export function sanitizeToolResultsJson(content: string): string {
  try {
    return JSON.stringify((JSON.parse(content) as unknown[]).map(sanitizeToolResult));
  } catch {
    return content;
  }
}

export interface ToolResult {
  toolCallId: string;
  success: boolean;
  output?: string;
  error?: string;
  metadata?: Record<string, unknown>;
}

export function formatToolResultForModel(results: ToolResult[]): string {
  const describe = ({ toolCallId, success, output, error, metadata }: ToolResult): string => {
    if (!success) {
      const reason = error || 'Failed';
      return `✗ ${toolCallId}: ${reason}${output && !error?.endsWith(output) ? `\n${output}` : ''}`;
    }
    const lines = [`✓ ${toolCallId}: ${output || 'Success'}`];
    if (metadata?.imagePath) lines.push(`  → Image saved: ${metadata.imagePath}`);
    if (metadata?.filePath) lines.push(`  → File: ${metadata.filePath}`);
    if (metadata?.generationTimeMs) lines.push(`  → Time: ${metadata.generationTimeMs}ms`);
    return lines.join('\n');
  };
  return results.map(describe).join('\n\n');
}
