import * as z from 'zod'
import { carryOmissions, hasOmissions, isRecord, normalizeFieldNames, rawValueSuffix } from './record-fields'

/*
 * Tolerant schemas of reply fields. docs/upstream-api.md, section 2, names types but promises neither presence nor
 * values, so each schema gives null for what it cannot read and never fails. Each is optional, because zod reports a
 * missing key as an error even for `unknown`.
 */
const anything = z.unknown().optional()

/** Whether a schema would return a value other than null unchanged. A record of such values needs no parsing. */
type IdentityCheck = { isUnchanged: (value: unknown) => boolean }

function withIdentityCheck<Schema extends z.ZodType>(
  schema: Schema,
  isUnchanged: IdentityCheck['isUnchanged'],
): Schema & IdentityCheck {
  return Object.assign(schema, { isUnchanged })
}

function isUnchanged(schema: z.ZodType, value: unknown): boolean {
  return (
    value === null ||
    ('isUnchanged' in schema && typeof schema.isUnchanged === 'function' && schema.isUnchanged(value) === true)
  )
}

/** A string as is; a number or boolean as text; anything else null. */
export const text = withIdentityCheck(
  anything.transform((value): string | null => {
    if (typeof value === 'string') return value
    if (typeof value === 'number' || typeof value === 'boolean') return String(value)
    return null
  }),
  (value) => typeof value === 'string',
)

/** A boolean, also written as a word or as 1 and 0; anything else null. */
export const flag = withIdentityCheck(
  anything.transform((value): boolean | null => {
    if (typeof value === 'boolean') return value
    const word = typeof value === 'string' || typeof value === 'number' ? String(value).trim().toLowerCase() : ''
    if (word === 'true' || word === '1') return true
    if (word === 'false' || word === '0') return false
    return null
  }),
  (value) => typeof value === 'boolean',
)

/** A number or string as is, its unit undecided (see `lib/domain/amounts/money`); anything else null. */
export const amount = withIdentityCheck(
  anything.transform((value): number | string | null =>
    typeof value === 'number' || typeof value === 'string' ? value : null,
  ),
  (value) => typeof value === 'number' || typeof value === 'string',
)

/** Any value as is, with what parsing left out of it (`listOmissions`). */
export const verbatim = anything.transform((value): unknown => carryOmissions(value, value))

/** An array of items. Null where one of them can't be read: a shorter list would say that there is nothing else. */
export function list<Item extends z.ZodType>(item: Item) {
  return withIdentityCheck(
    anything.transform((value): z.output<Item>[] | null => {
      if (!Array.isArray(value)) return null
      const read = z.array(item).safeParse(value)
      return read.success ? read.data : null
    }),
    (value) => Array.isArray(value) && value.every((entry) => entry !== null && isUnchanged(item, entry)),
  )
}

/** A nested record; anything but an object is null. */
export function nested<Shape extends z.ZodType>(shape: Shape) {
  return withIdentityCheck(
    anything.transform((value): z.output<Shape> | null => {
      const read = shape.safeParse(value)
      return read.success ? read.data : null
    }),
    (value) => isUnchanged(shape, value),
  )
}

/**
 * A record whose documented fields, in any letter case, are parsed by `shape`; unknown fields are kept. Nothing is
 * lost: a documented field of another type is null and keeps its value under `field (as told)`, and what parsing left out
 * is in `listOmissions`. Fails only for a value that is no record.
 * `further` names fields that are kept as they are, under these names.
 */
export function record<Shape extends Record<string, z.ZodType>>(shape: Shape, further: readonly string[] = []) {
  const object = z.looseObject(shape)
  const fields = Object.keys(shape)
  const spelledFields = [...fields, ...further]
  const parts = Object.entries(shape)
  const isAsDocumented = (value: unknown): value is z.output<typeof object> =>
    isRecord(value) &&
    !hasOmissions(value) &&
    parts.every(([field, part]) => value[field] !== undefined && isUnchanged(part, value[field])) &&
    further.every((field) => value[field] !== undefined)
  const schema = z.unknown().transform((value, context): z.output<typeof object> => {
    if (isAsDocumented(value)) return value
    const spelled = normalizeFieldNames(value, spelledFields)
    const read = object.safeParse(spelled)
    if (!read.success) {
      context.addIssue({ code: 'custom', message: 'must be a record' })
      return z.NEVER
    }
    let raw: Record<string, unknown> | undefined
    for (const field of fields) {
      if (typeof spelled !== 'object' || spelled === null) continue
      const given: unknown = Reflect.get(spelled, field)
      if (given !== null && given !== undefined && read.data[field] === null)
        (raw ??= {})[`${field}${rawValueSuffix}`] = given
    }
    return carryOmissions(value, raw ? { ...read.data, ...raw } : read.data)
  })
  return Object.assign(withIdentityCheck(schema, isAsDocumented), { shape })
}
