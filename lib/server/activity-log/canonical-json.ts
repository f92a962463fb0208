/** A value of canonical JSON; undefined members are left out. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json | undefined }

/**
 * Serialises a value as canonical JSON (RFC 8785): members sorted by UTF-16 code units, no white space. Throws
 * TypeError for numbers that are not finite and strings that are not well-formed.
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
