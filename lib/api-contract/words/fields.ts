/*
 * What the contract says of a wrong field: the end of a sentence that begins with the field's name, and begins small.
 * It stands here, not in lib/words, because the service says it too and the contract reads nobody. A translation is
 * another such folder.
 */

export const mustBeAtMostCharacters = (characters: number) =>
  `must be at most ${characters.toLocaleString('en')} characters`
export const mustBeAUuid = 'must be a UUID'
export const mustHoldText = 'must hold text: NUL or half a character is in it'
export const mustNotBeEmpty = 'must not be empty'
