// @ts-check
/**
 * Style sheets. A page can set each colour and size: `--palimpsest-…` sets `--_…`. The attribute `theme` overrides the
 * page's `color-scheme`.
 */

/** The rules that all elements share. */
export const THEME = `
:host {
  --_background: var(--palimpsest-background, light-dark(#ffffff, #16191f));
  --_surface: var(--palimpsest-surface, light-dark(#f5f7f9, #1e222a));
  --_text: var(--palimpsest-text, light-dark(#1b1f24, #e4e8ee));
  --_muted: var(--palimpsest-muted, light-dark(#57606a, #a2abb8));
  --_border: var(--palimpsest-border, light-dark(#d5dbe1, #363c47));
  --_accent: var(--palimpsest-accent, light-dark(#0b57b0, #7db4ff));
  --_on-accent: var(--palimpsest-on-accent, light-dark(#ffffff, #0d1420));
  --_good: var(--palimpsest-good, light-dark(#166b35, #6fd18f));
  --_warning: var(--palimpsest-warning, light-dark(#8a4b00, #f0b35c));
  --_warning-surface: var(--palimpsest-warning-surface, light-dark(#fff4e0, #33260f));
  --_danger: var(--palimpsest-danger, light-dark(#b3261e, #ff8f85));
  --_match: var(--palimpsest-match, light-dark(#ffe27a, #6b5600));
  --_match-current: var(--palimpsest-match-current, light-dark(#ffab4a, #a65f00));
  --_kind-system: var(--palimpsest-kind-system, light-dark(#475569, #a3b1c6));
  --_kind-user: var(--palimpsest-kind-user, light-dark(#0b57b0, #6aa8ff));
  --_kind-assistant: var(--palimpsest-kind-assistant, light-dark(#166b35, #58c27d));
  --_kind-call: var(--palimpsest-kind-call, light-dark(#8a4b00, #e3a048));
  --_kind-result: var(--palimpsest-kind-result, light-dark(#b45309, #f0b979));
  --_kind-summary: var(--palimpsest-kind-summary, light-dark(#6d3fc4, #b794ff));
  --_font: var(--palimpsest-font, system-ui, -apple-system, "Segoe UI", "Noto Sans SC", "PingFang SC", "Microsoft YaHei", sans-serif);
  --_mono: var(--palimpsest-mono, ui-monospace, "SFMono-Regular", Menlo, Consolas, "Noto Sans Mono CJK SC", monospace);
  --_size: var(--palimpsest-font-size, 14px);
  --_radius: var(--palimpsest-radius, 8px);
  display: block; box-sizing: border-box; color: var(--_text); font: var(--_size) / 1.5 var(--_font); text-align: start;
}
:host([hidden]) { display: none; }
:host([theme='light']) { color-scheme: light; }
:host([theme='dark']) { color-scheme: dark; }
:host([theme='auto']) { color-scheme: light dark; }
*, ::before, ::after { box-sizing: border-box; }
button, input, select { font: inherit; color: inherit; }
button {
  min-height: 28px; padding: 2px 10px; border: 1px solid var(--_border); border-radius: 6px;
  background: var(--_background); white-space: nowrap; cursor: pointer;
}
button:hover:not(:disabled) { border-color: var(--_accent); }
button:disabled { cursor: default; color: var(--_muted); }
button.primary { background: var(--_accent); border-color: var(--_accent); color: var(--_on-accent); }
:focus-visible { outline: 2px solid var(--_accent); outline-offset: 2px; }
.visually-hidden {
  position: absolute; width: 1px; height: 1px; margin: -1px; padding: 0; border: 0;
  overflow: hidden; clip-path: inset(50%); white-space: nowrap;
}
@media (forced-colors: active) { button { border-color: ButtonText; } }
`;

/** @type {Map<string, CSSStyleSheet>} */ const sheets = new Map();

/** Elements with the same rules share a style sheet. @param {string} rules */
export function sheetOf(rules) {
  const known = sheets.get(rules);
  if (known !== undefined) return known;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules);
  sheets.set(rules, sheet);
  return sheet;
}
