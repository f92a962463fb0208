/*
 * What speaks against the data of a known scheme, as the other words of this folder. A translation is another module
 * with the same names.
 */

export const mustBeDigits = (digits: number) => `must be ${digits} digits`
export const mustBeStandardOrTotal = 'must be standard or total'
