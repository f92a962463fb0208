/** What canonical JSON can hold; a member that is undefined is left out. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json | undefined }

/**
 * Writes a value as the one text that stands for it: members in the order of their names' UTF-16 code
 * units, no white space, numbers and strings as ECMAScript writes them (RFC 8785). Throws TypeError for
 * what that text could not carry: a number that is not finite, a string that is not well-formed.
 */
export function writeCanonicalJson(value: Json): string {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError('a number is not finite')
  if (typeof value === 'string' && !value.isWellFormed()) throw new TypeError('a string is not well-formed')
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (isList(value)) return `[${value.map(writeCanonicalJson).join(',')}]`
  const members = Object.keys(value)
    .toSorted()
    .flatMap((name) => {
      const member = value[name]
      return member === undefined ? [] : [`${writeCanonicalJson(name)}:${writeCanonicalJson(member)}`]
    })
  return `{${members.join(',')}}`
}

/** Array.isArray does not narrow a readonly list away from a record. */
function isList(value: object): value is readonly Json[] {
  return Array.isArray(value)
}
