export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Why part of a record was left out while parsing: a key that could change a prototype, a name given twice with
 * different values, nesting too deep, too many names, text too long, bytes that are not UTF-8, or a value of another
 * type than documented.
 */
const reasons = ['unsafe-key', 'twice', 'too-deep', 'too-many-names', 'too-long', 'not-utf8', 'misshapen'] as const
export type OmissionReason = (typeof reasons)[number]

/** `field` is the path of the omitted part, such as `metaData.__proto__`; '' for the record itself. */
export type Omission = { field: string; why: OmissionReason }

/** The member that carries a record's omissions to the browser, beside its fields. */
const leftOutField = 'left out by the desk'

/** A documented field whose value has another type keeps it under its name with this suffix. */
export const rawValueSuffix = ' (as told)'

/** A non-enumerable symbol, so that code which lists or copies members of a parsed record does not see it. */
const mark = Symbol.for('debitdesk.left-out')

/** Attaches to a parsed record what was left out of it and of its parts. */
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

/** The omissions attached to a record when it was parsed. */
export function getOmissions(record: object): Omission[] {
  return readList(Reflect.get(record, mark))
}

/** A copy of `read` that also carries the omissions of `source`; `read` itself when there are none. */
export function carryOmissions<Value>(source: unknown, read: Value): Value {
  if (typeof source !== 'object' || source === null || typeof read !== 'object' || read === null) return read
  return hasOmissions(source) ? { ...read, [leftOutField]: getOmissions(source) } : read
}

/** Whether `name` is the member that lists omissions rather than a field of the service. */
export function isOmissionsField(name: string): boolean {
  return name === leftOutField
}

/** The omissions of a record as parsed by the contract, including fields of another type than documented. */
export function listOmissions(record: object): Omission[] {
  const misshapen = Object.keys(record)
    .filter((name) => name.endsWith(rawValueSuffix))
    .map((name): Omission => ({ field: name.slice(0, -rawValueSuffix.length), why: 'misshapen' }))
  return [...readList(Reflect.get(record, leftOutField)), ...misshapen]
}

/** Whether a record holds one of `fields` twice with different values: choosing one would be a guess. */
export function hasConflictingField(record: object, fields: readonly string[]): boolean {
  return listOmissions(record).some(({ field, why }) => why === 'twice' && fields.includes(field.toLowerCase()))
}

/** The members of a record other than the fields that a page shows; null when there are none. */
export function listUnknownFields(record: object, shown: readonly string[]): Record<string, unknown> | null {
  const rest = Object.entries(record).filter(([name]) => !shown.includes(name) && !isOmissionsField(name))
  return rest.length === 0 ? null : Object.fromEntries(rest)
}

/**
 * Renames the fields of a record to their documented spelling: where a field is missing and exactly one name differs
 * from it only in letter case (`HasMore` for `hasMore`), that name is changed. A field with the documented spelling
 * wins; when two names match, both are left alone. Returns anything but a record unchanged.
 */
export function normalizeFieldNames(value: object, fields: readonly string[]): object
export function normalizeFieldNames(value: unknown, fields: readonly string[]): unknown
export function normalizeFieldNames(value: unknown, fields: readonly string[]): unknown {
  if (!isRecord(value)) return value
  // Fast path: most records are spelled as documented.
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
