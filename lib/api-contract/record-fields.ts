/** Whether a value is an object with names, and no array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Why a part of a record is missing: a key that could change a prototype, a name given twice with different values,
 * nesting too deep, too many names, text too long, bytes that are not UTF-8, or not what the field is documented to hold.
 */
const reasons = ['unsafe-key', 'twice', 'too-deep', 'too-many-names', 'too-long', 'not-utf8', 'misshapen'] as const
export type LeftOutReason = (typeof reasons)[number]

/** One part of a record that was left out; `field` is its path, such as `metaData.__proto__`, '' for the record itself. */
export type LeftOut = { field: string; why: LeftOutReason }

/** The name under which a record carries what was left out of it to the browser, beside its fields. */
const leftOutField = 'left out by the desk'

/** What a documented field holds that cannot be read as such is kept under its name and this. */
export const asToldSuffix = ' (as told)'

/** Out of sight of whatever lists or copies the members of a parsed record. */
const mark = Symbol.for('debitdesk.left-out')

/** Notes at a parsed record what was left out of it and of what it holds. */
export function markLeftOut(record: object, leftOut: readonly LeftOut[]): void {
  Object.defineProperty(record, mark, { value: leftOut })
}

export function isMarked(record: object): boolean {
  return mark in record
}

function isLeftOut(value: unknown): value is LeftOut {
  return isRecord(value) && typeof value.field === 'string' && reasons.some((reason) => reason === value.why)
}

function readList(value: unknown): LeftOut[] {
  return Array.isArray(value) ? value.filter(isLeftOut) : []
}

/** What was noted at a record as it was parsed. */
export function readMark(record: object): LeftOut[] {
  return readList(Reflect.get(record, mark))
}

/** A copy of `read` that carries what was noted at `source`; `read` itself where that is nothing. */
export function carryLeftOut<Value>(source: unknown, read: Value): Value {
  if (typeof source !== 'object' || source === null || typeof read !== 'object' || read === null) return read
  return isMarked(source) ? { ...read, [leftOutField]: readMark(source) } : read
}

/** Whether this is the name of a part that says what was left out, and no field of the service. */
export function isLeftOutField(name: string): boolean {
  return name === leftOutField
}

/** What a record, as the contract read it, says was left out of it or could not be read. */
export function listLeftOut(record: object): LeftOut[] {
  const misshapen = Object.keys(record)
    .filter((name) => name.endsWith(asToldSuffix))
    .map((name): LeftOut => ({ field: name.slice(0, -asToldSuffix.length), why: 'misshapen' }))
  return [...readList(Reflect.get(record, leftOutField)), ...misshapen]
}

/** Whether a record gave one of `fields` twice, with different values: which of them holds would be a guess. */
export function isContradicted(record: object, fields: readonly string[]): boolean {
  return listLeftOut(record).some(({ field, why }) => why === 'twice' && fields.includes(field.toLowerCase()))
}

/** What a record holds beside the fields that a page shows by name; null when that is nothing. */
export function listUnforeseen(record: object, shown: readonly string[]): Record<string, unknown> | null {
  const rest = Object.entries(record).filter(([name]) => !shown.includes(name) && !isLeftOutField(name))
  return rest.length === 0 ? null : Object.fromEntries(rest)
}
