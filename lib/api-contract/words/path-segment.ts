/*
 * What speaks against an id or a handle, as the other words of this folder. A translation is another module with the
 * same names.
 */

export const isAWordOfThePath = 'is a word of the path: use the id instead'
export const isNotWellFormed = 'is not well-formed Unicode'
export const mustNotBeADotSegment = 'must not be a dot segment'
export const mustNotBeginOrEndWithASpace = 'must not begin or end with a space'
export const mustNotContainStructure = 'must not contain / \\ % ? # ; or invisible characters: use the id instead'
