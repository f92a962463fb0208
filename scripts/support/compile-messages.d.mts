/** Compiles messages/*.json into lib/messages, unless that is up to date. */
export declare function ensureMessages(folder?: string): void
