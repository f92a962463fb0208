/** Whether a value is an object with names, and no array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Why a part of a record is missing: a key that could change a prototype, a name given twice with different values,
 * nesting too deep, too many names, text too long, bytes that are not UTF-8, or not what the field is documented to hold.
 */
const reasons = ['unsafe-key', 'twice', 'too-deep', 'too-many-names', 'too-long', 'not-utf8', 'misshapen'] as const
export type OmissionReason = (typeof reasons)[number]

/** One part of a record that was left out; `field` is its path, such as `metaData.__proto__`, '' for the record itself. */
export type Omission = { field: string; why: OmissionReason }

/** The name under which a record carries what was left out of it to the browser, beside its fields. */
const leftOutField = 'left out by the desk'

/** What a documented field holds that cannot be read as such is kept under its name and this. */
export const rawValueSuffix = ' (as told)'

/** Out of sight of whatever lists or copies the members of a parsed record. */
const mark = Symbol.for('debitdesk.left-out')

/** Notes at a parsed record what was left out of it and of what it holds. */
export function attachOmissions(record: object, leftOut: readonly Omission[]): void {
  Object.defineProperty(record, mark, { value: leftOut })
}

export function hasOmissions(record: object): boolean {
  return mark in record
}

function isLeftOut(value: unknown): value is Omission {
  return isRecord(value) && typeof value.field === 'string' && reasons.some((reason) => reason === value.why)
}

function readList(value: unknown): Omission[] {
  return Array.isArray(value) ? value.filter(isLeftOut) : []
}

/** What was noted at a record as it was parsed. */
export function getOmissions(record: object): Omission[] {
  return readList(Reflect.get(record, mark))
}

/** A copy of `read` that carries what was noted at `source`; `read` itself where that is nothing. */
export function carryOmissions<Value>(source: unknown, read: Value): Value {
  if (typeof source !== 'object' || source === null || typeof read !== 'object' || read === null) return read
  return hasOmissions(source) ? { ...read, [leftOutField]: getOmissions(source) } : read
}

/** Whether this is the name of a part that says what was left out, and no field of the service. */
export function isOmissionsField(name: string): boolean {
  return name === leftOutField
}

/** What a record, as the contract read it, says was left out of it or could not be read. */
export function listOmissions(record: object): Omission[] {
  const misshapen = Object.keys(record)
    .filter((name) => name.endsWith(rawValueSuffix))
    .map((name): Omission => ({ field: name.slice(0, -rawValueSuffix.length), why: 'misshapen' }))
  return [...readList(Reflect.get(record, leftOutField)), ...misshapen]
}

/** Whether a record gave one of `fields` twice, with different values: which of them holds would be a guess. */
export function hasConflictingField(record: object, fields: readonly string[]): boolean {
  return listOmissions(record).some(({ field, why }) => why === 'twice' && fields.includes(field.toLowerCase()))
}

/** What a record holds beside the fields that a page shows by name; null when that is nothing. */
export function listUnknownFields(record: object, shown: readonly string[]): Record<string, unknown> | null {
  const rest = Object.entries(record).filter(([name]) => !shown.includes(name) && !isOmissionsField(name))
  return rest.length === 0 ? null : Object.fromEntries(rest)
}

/**
 * A record with its documented fields spelled as documented: where one is missing and exactly one name differs from
 * it in letter case alone (`HasMore` for `hasMore`), that one is meant. A field that stands as documented wins, and
 * two that could both be meant are left as they are. Anything but a record comes back as it is.
 */
export function normalizeFieldNames(value: object, fields: readonly string[]): object
export function normalizeFieldNames(value: unknown, fields: readonly string[]): unknown
export function normalizeFieldNames(value: unknown, fields: readonly string[]): unknown {
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
