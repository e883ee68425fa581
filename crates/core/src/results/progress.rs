//! Decides the percentage that a progress bar shows while a tool runs, and the tools' time limits (R5.8).

use super::{Language, in_language};
use std::time::Duration;

/// How often the bar is updated: a bar that hasn't moved for longer looks stuck.
pub const UPDATE_INTERVAL: Duration = Duration::from_secs(5);
/// Time limit of a request through the cloud proxy, which aborts requests after this.
pub const CLOUD_PROXY_TIMEOUT: Duration = Duration::from_secs(60);
/// Time limit of a request to a provider's API without a proxy.
pub const DIRECT_API_TIMEOUT: Duration = Duration::from_secs(90);
/// Time limit of expanding a prompt before an image is generated.
pub const PROMPT_EXPAND_TIMEOUT: Duration = Duration::from_secs(30);
/// Expected duration of a stage that has no estimate of its own.
pub const DEFAULT_ESTIMATE: Duration = Duration::from_secs(60);
/// Percentage at which a stage of unknown progress starts.
pub const WORKING_FROM: f64 = 30.0;
/// Percentage at which a stage of unknown progress waits for its result.
pub const WORKING_TO: f64 = 80.0;

/// The percentage after `elapsed_ms` of a stage with the expected duration `estimate_ms`, between `from` and `to`: linear until `to`,
/// where the bar waits for the result (R5.8, the original function's `min(30 + elapsed / 60000 * 50, 80)`).
pub fn estimated_percent(elapsed_ms: f64, estimate_ms: f64, from: f64, to: f64) -> f64 {
    if estimate_ms <= 0.0 || elapsed_ms.is_nan() {
        return if elapsed_ms > 0.0 { to.max(from) } else { from };
    }
    (from + elapsed_ms.max(0.0) / estimate_ms * (to - from)).clamp(from, to.max(from))
}

/// The percentage to show after `shown`: `next`, but never below `shown` and never out of range (R5.8).
pub fn never_backwards(shown: f64, next: f64) -> f64 {
    if next.is_nan() { shown } else { shown.max(next).clamp(0.0, 100.0) }
}

/// The texts of a stage: while it runs, and once it is done.
pub fn stage_texts(language: Language) -> (&'static str, &'static str) {
    in_language(language, ("处理中...", "完成"), ("Working...", "Done"))
}

/// Tells the user that `tool` took longer than `timeout_ms`, why, and what to do (R5.8).
pub fn timeout_text(tool: &str, timeout_ms: f64, language: Language) -> String {
    let seconds = (timeout_ms / 1000.0).round();
    match (tool, language) {
        ("image_generate", Language::Chinese) => "图片生成超时。\n\n\
            FLUX 模型生成一张图片通常需要 30-60 秒。\n\
            如果持续超时，可能是：\n1. 网络连接不稳定\n2. API 服务繁忙\n\n\
            建议稍后重试，或使用更简单的描述。"
            .to_owned(),
        (_, Language::Chinese) => format!(
            "{tool} 超时（{seconds} 秒）。\n\n如果持续超时，可能是：\n1. 网络连接不稳定\n2. API 服务繁忙\n\n建议稍后重试。"
        ),
        ("image_generate", Language::English) => "Generating the image timed out.\n\n\
            A FLUX model usually takes 30-60 seconds for an image.\n\
            If this keeps happening, perhaps:\n1. the network is unstable\n2. the API is busy\n\n\
            Try again later, or with a simpler description."
            .to_owned(),
        (_, Language::English) => format!(
            "{tool} timed out after {seconds} s.\n\nIf this keeps happening, perhaps:\n\
             1. the network is unstable\n2. the API is busy\n\nTry again later."
        ),
    }
}

#[cfg(test)]
mod tests;
