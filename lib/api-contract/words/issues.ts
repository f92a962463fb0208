/*
 * Replacements for zod's own messages, each the end of a sentence that begins with the field's name (see fields.ts).
 */

export const characters = (count: number | bigint) =>
  `${count.toLocaleString('en')} ${count.toString() === '1' ? 'character' : 'characters'}`
export const entries = (count: number | bigint) =>
  `${count.toLocaleString('en')} ${count.toString() === '1' ? 'entry' : 'entries'}`
export const plainNumber = (number: number | bigint) => number.toLocaleString('en')

export const isNotWrittenAsItMustBe = 'is not written as it must be'
export const isRequired = 'is required'
export const mustBe = (value: string) => `must be ${value}`
export const mustBeA = (type: string) => `must be ${/^[aeiou]/u.test(type) ? 'an' : 'a'} ${type}`
export const mustBeAtLeast = (bound: string) => `must be at least ${bound}`
export const mustBeAtMost = (bound: string) => `must be at most ${bound}`
export const mustBeOneOf = (values: readonly string[]) => `must be one of ${values.join(', ')}`
export const mustNotBeEmpty = 'must not be empty'
export const wasNotUnderstood = 'was not understood'

/** By the name of the format. */
export const formats = {
  email: 'must be an e-mail address',
  url: 'must be an address',
  uuid: 'must be a UUID',
}
