/*
 * Messages about ids and handles in paths, each the end of a sentence that begins with the field's name (see fields.ts).
 */

export const isAWordOfThePath = 'is a word of the path: use the id instead'
export const isNotWellFormed = 'is not well-formed Unicode'
export const mustNotBeADotSegment = 'must not be a dot segment'
export const mustNotBeginOrEndWithASpace = 'must not begin or end with a space'
export const mustNotContainStructure = 'must not contain / \\ % ? # ; or invisible characters: use the id instead'
