import { isRecord } from './record-fields'

/**
 * A record with its documented fields spelled as documented: where one is missing and exactly one name differs from
 * it in letter case alone (`HasMore` for `hasMore`), that one is meant. A field that stands as documented wins, and
 * two that could both be meant are left as they are. Anything but a record comes back as it is.
 */
export function spellFields(value: object, fields: readonly string[]): object
export function spellFields(value: unknown, fields: readonly string[]): unknown
export function spellFields(value: unknown, fields: readonly string[]): unknown {
  if (!isRecord(value)) return value
  // Most records are spelled as documented: that must cost next to nothing.
  let isWhole = true
  for (const field of fields) isWhole &&= field in value
  if (isWhole) return value
  const absent = fields.filter((field) => !Object.hasOwn(value, field))
  const wanted = new Map(absent.map((field) => [field.toLowerCase(), field]))
  const meant = new Map<string, string | null>()
  for (const name of Object.keys(value)) {
    const field = wanted.get(name.toLowerCase())
    if (field !== undefined) meant.set(field, meant.has(field) ? null : name)
  }
  if (meant.size === 0) return value
  const spelling = new Map([...meant].flatMap(([field, name]) => (name === null ? [] : [[name, field] as const])))
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [spelling.get(name) ?? name, held]))
}
