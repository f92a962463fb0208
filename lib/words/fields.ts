/*
 * What the desk's server says at a field that it refuses: the end of a sentence that begins with the field's name.
 * What the contract itself says of a field stands there (lib/api-contract/words), for the service says it too. A
 * translation is another module with the same names.
 */

export const cannotBeSentInAHeader = 'cannot be sent in a header: it is reserved or not plain'
export const chooseAtLeastOneColumn = 'choose at least one column'
export const isMissingForRow = (row: number) => `is missing for row ${row}`
export const isNeeded = 'is needed'
export const isNotSentWithoutACredential = 'is not sent without a credential: leave it empty'
export const isOneOfTheMostCommonPasswords = 'is one of the most commonly used passwords: choose another one'
export const isTaken = 'is taken'
export const isTheOneBefore = 'is the password you have now: choose another one'
export const isBuiltOn = (name: string) =>
  `is too easy to guess: others know “${name}”, so it does not count. Add words that have nothing to do with you or your work`
export const isTooEasyToGuess =
  'is too easy to guess: make it longer, for example of four words that have nothing to do with each other'
export const wasFoundAmongStolenOnes = 'was found in a list of stolen passwords: choose one that you use nowhere else'
export const holdsMalformedUnicode = 'holds characters that are not well-formed Unicode'
export const mustBeAServiceAddress = 'must be an address such as https://service.example'
export const mustBeAUuid = 'must be a UUID'
export const mustBeAnEmailAddress = 'must be an e-mail address'
export const mustHaveAtLeast = (characters: number) => `must have at least ${characters} characters`
export const mustHaveAtMost = (characters: number) => `must have at most ${characters} characters`
export const mustNotBeAKnownName = 'must not be the e-mail address or the name of the desk'
export const mustNotHoldAQuery = 'must not hold a query'
export const doesNotDecode = 'is not UTF-8 behind its percent signs'
export const wasGivenTwice = 'was given twice'
export const wasNotUnderstood = 'was not understood'

/** What a service that answered has against its credential. */
export const refusedCredential = {
  mayNotRead: (credential: string) => `The service knows this ${credential} and does not let it read.`,
  isNeeded: 'The service asks for a credential.',
  isRefused: (credential: string) => `The service refused this ${credential}.`,
}

/** What a credential is called, by the way it is sent. */
export const credentials = {
  basic: 'token',
  bearer: 'token',
  header: 'value',
  'client-credentials': 'client secret',
  none: 'credential',
}
