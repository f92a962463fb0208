/*
 * What speaks against the length that is asked for a page of a list, as the other words of this folder. A translation
 * is another module with the same names.
 */

export const isGivenTwice = 'is given twice, with different values'
export const mustBeAtLeast = (least: number) => `must be at least ${least}`
export const mustBeAtMost = (most: number) => `must be at most ${most}`
export const mustBeAWholeNumber = (least: number, most: number) => `must be a whole number from ${least} to ${most}`
