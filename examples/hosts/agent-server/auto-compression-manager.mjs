// @ts-check
/** The server's original manager: when the context window fills up, it drops the middle of the conversation. */
export class AutoCompressionManager {
  /** @param {any} configService @param {any} llmClient @param {any} logger */
  constructor(configService, llmClient, logger) {
    this.configService = configService;
    this.llmClient = llmClient;
    this.logger = logger;
  }

  /** @param {any[]} messages */
  async process(messages) {
    const { threshold, keepRecentCount } = this.configService.get('conversation.autoCompression');
    const used = messages.findLast((message) => message._usage)?._usage.promptTokens ?? 0;
    if (used < threshold * this.configService.get('contextLimit').maxTokens) return;
    const kept = messages.slice(-keepRecentCount);
    while (kept[0]?.role === 'tool') kept.shift();
    this.logger.info('history cut', { before: messages.length, after: kept.length + 1 });
    messages.splice(1, messages.length - 1, ...kept);
  }
}
