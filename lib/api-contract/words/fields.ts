/*
 * Messages of the contract about invalid fields: each is the end of a sentence that begins with the field's name, so it
 * begins in lower case. They are here rather than in lib/words because the service uses them too and the contract
 * imports nothing of ours. A translation is another folder of modules with the same names.
 */

export const mustBeAtMostCharacters = (characters: number) =>
  `must be at most ${characters.toLocaleString('en')} characters`
export const mustBeAUuid = 'must be a UUID'
export const mustHoldText = 'must hold text: NUL or half a character is in it'
export const mustNotBeEmpty = 'must not be empty'
