/**
 * The most payments of one bulk (decision 0022). Apart from the schema, so that the browser can count without loading a
 * schema library.
 */
export const bulkLimit = 10_000
