// @ts-check
/** CSS that `<context-map>` and `<context-chart>` share. */
import { PALETTE_RULES } from './palette.js';

export const PICTURE_STYLES = `
${PALETTE_RULES}
:host { min-width: 0; padding: 12px; border-radius: var(--_radius); background: var(--_background); }
.problem { margin: 0; padding: 16px; border: 1px dashed var(--_border); border-radius: var(--_radius); color: var(--_muted); overflow-wrap: anywhere; }
.controls { display: flex; flex-wrap: wrap; gap: 6px 16px; align-items: center; margin-bottom: 8px; }
.controls label { display: inline-flex; gap: 6px; align-items: center; min-width: 0; color: var(--_muted); }
[hidden] { display: none !important; }
select { max-width: 100%; min-width: 0; min-height: 28px; padding: 2px 6px; border: 1px solid var(--_border); border-radius: 6px; background: var(--_background); color: var(--_text); text-overflow: ellipsis; }
.slider { display: flex; flex-wrap: wrap; gap: 2px 12px; align-items: center; }
.slider input { flex: 1 1 200px; min-width: 0; margin: 0; min-height: 28px; accent-color: var(--_accent); }
.slider output { flex: 0 1 auto; color: var(--_muted); font-variant-numeric: tabular-nums; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 6px; margin: 8px 0 0; padding: 0; list-style: none; }
.legend button, .legend .mark { display: inline-flex; gap: 6px; align-items: center; min-height: 26px; padding: 1px 8px; border: 1px solid transparent; border-radius: 6px; background: none; text-align: start; overflow-wrap: anywhere; }
.legend button[aria-pressed='true'] { border-color: var(--_accent); background: var(--_surface); }
.legend canvas { flex: none; width: 18px; height: 14px; border-radius: 2px; }
.legend .amount { color: var(--_muted); font-variant-numeric: tabular-nums; white-space: nowrap; }
@media (forced-colors: active) {
  .legend button[aria-pressed='true'] { border-color: Highlight; }
  .legend canvas { outline: 1px solid CanvasText; }
}
`;
