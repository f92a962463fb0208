/*
 * Why JSON that came from outside is not used, beside the title of lib/words/failures: the ends of sentences. A translation is
 * another module with the same names.
 */

export const cutOff = 'is cut off: its JSON does not end'
export const goesOn = 'goes on after the end of its JSON'
export const isNotJson = 'is not valid JSON'
export const nestsTooDeep = (levels: number) => `nests deeper than ${levels} levels`
export const hasTooManyNames = (names: number) => `has an object of more than ${names.toLocaleString('en')} names`
export const hasTextTooLong = (characters: number) =>
  `has a text of more than ${characters.toLocaleString('en')} characters`
export const holdsUnsafeKey = (key: string) => `must not have a key named ${key}`
export const givenTwice = 'is given twice, with different values'
export const isNotUtf8 = 'is not UTF-8'
export const reply = (reason: string) => `The reply ${reason}.`
export const body = (reason: string) => `The body ${reason}.`
export const replyField = (field: string, reason: string) => `In the reply, ${field} ${reason}.`
export const bodyField = (field: string, reason: string) => `In the body, ${field} ${reason}.`
