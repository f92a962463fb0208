/*
 * Apart from the schemas, so that the browser can count without loading zod.
 */

/** Maximum length of a cancellation reason in UTF-16 code units (decision 0003: the interface states no limit). */
export const MAX_REASON_LENGTH = 500

/** Maximum number of payments in one bulk cancellation (decision 0022). */
export const MAX_BULK_PAYMENTS = 10_000
