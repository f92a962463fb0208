/*
 * Messages about the data of a known scheme, each the end of a sentence that begins with the field's name. A translation
 * is another module with the same names.
 */

export const mustBeDigits = (digits: number) => `must be ${digits} digits`
export const mustBeStandardOrTotal = 'must be standard or total'
