/*
 * Messages about requests that pages send unchecked (cancellations, bulk cancellations, exports, views), each the end of
 * a sentence that begins with the field's name (see fields.ts).
 */

export const chooseAtLeastOneColumn = 'choose at least one column'
export const holdsInvisibleCharacters = 'holds characters that are invisible or turn the direction of text'
export const holdsCharactersThatCannotBeStored = 'holds characters that cannot be stored'
export const isNoFieldOfPayments = 'is no field of payments'
export const isTooLarge = 'is too large'
export const mustBeASha256 = 'must be a SHA-256 in hex'
export const mustBeATimeZone = 'must be a time zone'
export const mustHaveAtMostConditions = (conditions: number) => `must have at most ${conditions} conditions`
export const mustNestAtMost = (depth: number) => `must be nested at most ${depth} deep`
export const mustHaveARow = 'must have a row'
export const mustHaveAtMostRows = (rows: number) => `must have at most ${rows} rows`
