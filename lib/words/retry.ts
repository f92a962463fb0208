/*
 * The word on the button that tries again: it stands alone, for the pages that carry it need little else. A translation
 * is another module with the same name.
 */

export const retry = 'Retry'
