/**
 * The longest reason for a cancellation, in UTF-16 code units (decision 0003: the interface states no limit). Apart
 * from the schema, so that the browser can count without loading a schema library.
 */
export const MAX_REASON_LENGTH = 500

/**
 * The most payments of one bulk (decision 0022). Apart from the schema, so that the browser can count without loading a
 * schema library.
 */
export const MAX_BULK_PAYMENTS = 10_000
