/*
 * Messages about pages of lists, each the end of a sentence that begins with the field's name (see fields.ts).
 */

export const isGivenTwice = 'is given twice, with different values'
export const mustBeAtLeast = (least: number) => `must be at least ${least}`
export const mustBeAtMost = (most: number) => `must be at most ${most}`
export const mustBeAWholeNumber = (least: number, most: number) => `must be a whole number from ${least} to ${most}`
