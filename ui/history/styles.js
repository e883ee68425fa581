// @ts-check
/** CSS of `<compression-history>`. */
import { SAFE_TEXT_STYLES } from '../base/safe-text.js';

export const STYLES = `
:host {
  display: flex; flex-direction: column; container-type: inline-size;
  max-height: var(--palimpsest-history-height, 80vh);
  border: 1px solid var(--_border); border-radius: var(--_radius);
  background: var(--_background); overflow: hidden;
}
.toolbar {
  display: flex; flex-wrap: wrap; align-items: center; gap: 8px;
  padding: 8px 12px; border-block-end: 1px solid var(--_border); background: var(--_surface);
}
.counts { flex: 1 1 160px; color: var(--_muted); min-width: 0; }
.counts strong { color: var(--_text); font-weight: 600; }
.counts .saved { color: var(--_good); font-weight: 600; }
.search { display: flex; flex: 1 1 210px; align-items: center; gap: 4px; min-width: 0; }
.search input {
  flex: 1 1 120px; min-width: 0; min-height: 28px; padding: 2px 8px;
  border: 1px solid var(--palimpsest-field-border, light-dark(#7d8590, #7d8794)); border-radius: 6px; background: var(--_background); color: inherit;
}
.search input::placeholder { color: var(--_muted); opacity: 1; }
.search output { color: var(--_muted); white-space: nowrap; font-variant-numeric: tabular-nums; }
.search output:empty { display: none; }
.toolbar select { flex: 0 1 130px; min-width: 0; min-height: 28px; padding: 2px 6px; border: 1px solid var(--_border); border-radius: 6px; background: var(--_background); text-overflow: ellipsis; }
.search button { min-width: 30px; padding: 2px 6px; }
.scroller { position: relative; flex: 1 1 auto; min-height: 0; overflow: auto; overflow-anchor: none; overscroll-behavior: contain; }
.body { position: relative; min-height: 60px; }
.empty { position: absolute; inset: 0; display: grid; place-items: center; color: var(--_muted); margin: 0; }
.row {
  --_indent: calc(min(var(--_depth, 0), 6) * 14px);
  position: absolute; inset-inline: 0; padding: 10px 14px; padding-inline-start: calc(var(--_indent) + 14px);
  background-image: repeating-linear-gradient(to right, transparent 0 8px, var(--_kind-summary) 8px 10px, transparent 10px 14px);
  background-size: var(--_indent) 100%; background-repeat: no-repeat; contain: layout;
}
.row:focus-visible { outline-offset: -2px; }
.message + .message { border-block-start: 1px solid var(--_border); }
.row.message.is-prompt { border-block-start: 2px solid var(--_kind-user); }
.is-prompt { background-color: var(--_surface); }
.head { position: relative; display: flex; flex-wrap: wrap; align-items: baseline; gap: 2px 10px; min-height: 24px; }
.role { font-weight: 600; }
.role-system { color: var(--_kind-system); }
.role-user { color: var(--_kind-user); }
.role-assistant { color: var(--_kind-assistant); }
.role-tool { color: var(--_kind-result); }
.badge { padding: 0 6px; border: 1px solid var(--_border); border-radius: 10px; font-size: .85em; color: var(--_muted); }
.badge.failed { color: var(--_danger); border-color: currentColor; }
.detail { color: var(--_muted); overflow-wrap: anywhere; }
.actions { display: flex; gap: 4px; margin-inline-start: auto; }
.actions button { min-height: 24px; padding: 0 8px; font-size: .85em; color: var(--_muted); }
@media (hover: hover) {
  .actions button:not(.action-activate) { opacity: 0; }
  .row:hover .actions button, .row:focus-within .actions button, .row:focus .actions button { opacity: 1; }
}
.part, .summary { max-width: 100ch; }
.part { margin-block: 2px 0; }
.part + .part { margin-block-start: 6px; }
.tool-text, .json { font: .92em/1.45 var(--_mono); }
.role-row-system .part, .role-row-tool .part { color: var(--_muted); }
.role-row-tool .part { color: var(--_text); }
.call { padding: 4px 8px; border-radius: 6px; background: var(--_surface); border: 1px solid var(--_border); }
.call-name { color: var(--_kind-call); font: 600 .92em/1.45 var(--_mono); overflow-wrap: anywhere; }
.nothing { color: var(--_muted); font-style: italic; }
.card {
  border: 1px solid var(--_kind-summary); border-inline-start-width: 4px; border-radius: var(--_radius);
  background: var(--palimpsest-point-background, light-dark(#f7f3fe, #231d31)); padding: 8px 12px;
}
.card.truncation { border-color: var(--_warning); background: var(--palimpsest-cut-background, var(--_warning-surface)); }
.card .title { margin: 0; font-size: 1.05em; font-weight: 650; color: var(--_kind-summary); }
.card.truncation .title { color: var(--_warning); }
.card time { color: var(--_muted); white-space: nowrap; }
.figures { display: flex; flex-wrap: wrap; gap: 2px 14px; margin: 2px 0 6px; padding: 0; list-style: none; font-variant-numeric: tabular-nums; }
.summary { margin-block: 8px 2px; }
.disclosure { display: inline-flex; align-items: center; gap: 6px; font-weight: 600; }
.disclosure .arrow { width: 0; height: 0; border: 5px solid transparent; border-inline-start-color: currentColor; border-inline-end-width: 0; }
.disclosure[aria-expanded='true'] .arrow { border: 5px solid transparent; border-block-start-color: currentColor; border-block-end-width: 0; }
.end { padding-block: 2px 10px; }
.end .line { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 10px; color: var(--_muted); border-block-start: 1px dashed var(--_kind-summary); padding-block-start: 4px; }
.state .line { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 10px; padding: 6px 10px; border-radius: 6px; background: var(--_surface); }
.state.is-wrong .line { background: var(--_warning-surface); color: var(--_warning); }
.spinner { width: 14px; height: 14px; border: 2px solid var(--_border); border-block-start-color: var(--_accent); border-radius: 50%; animation: turn .8s linear infinite; }
@keyframes turn { to { rotate: 1turn; } }
@media (prefers-reduced-motion: reduce) { .spinner { animation-duration: 4s; } }
@container (max-width: 480px) {
  .row { --_indent: calc(min(var(--_depth, 0), 6) * 8px); padding-inline: calc(var(--_indent) + 8px) 8px;
    background-image: repeating-linear-gradient(to right, transparent 0 4px, var(--_kind-summary) 4px 6px, transparent 6px 8px); }
  .toolbar > button, .toolbar > select { flex: 1 1 40%; }
  .counts, .search { flex-basis: 100%; }
  .search { flex-wrap: wrap; }
  .search input { flex-basis: calc(100% - 76px); }
  .search output { order: 1; flex-basis: 100%; }
}
@media (forced-colors: active) { .card { border-color: CanvasText; } }
${SAFE_TEXT_STYLES}`;
