/** The most payments of one bulk (D-60). Apart from the schema, so that the browser can count without loading a schema library. */
export const bulkLimit = 10_000
