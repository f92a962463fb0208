import * as z from 'zod'
import { carryOmissions, hasOmissions, isRecord, normalizeFieldNames, rawValueSuffix } from './record-fields'

/*
 * Readings of reply fields. docs/upstream-api.md, section 2, names types but promises neither presence nor
 * values, so each reading answers null in place of what it cannot read and never throws. Each is optional:
 * zod counts a key that is missing from an object as an error even where `unknown` is asked for.
 */
const anything = z.unknown().optional()

/** Tells of a value, null aside, that a schema reads it as it stands: a record of such values alone needs no reading. */
type Told = { isAsRead: (value: unknown) => boolean }

function tell<Schema extends z.ZodType>(schema: Schema, isAsRead: Told['isAsRead']): Schema & Told {
  return Object.assign(schema, { isAsRead })
}

function isAsRead(schema: z.ZodType, value: unknown): boolean {
  return (
    value === null || ('isAsRead' in schema && typeof schema.isAsRead === 'function' && schema.isAsRead(value) === true)
  )
}

/** Text: a string as it came; a number or boolean as its digits or word; anything else null. */
export const text = tell(
  anything.transform((value): string | null => {
    if (typeof value === 'string') return value
    if (typeof value === 'number' || typeof value === 'boolean') return String(value)
    return null
  }),
  (value) => typeof value === 'string',
)

/** A truth value: true and false, also as words or as 1 and 0; anything else null. */
export const flag = tell(
  anything.transform((value): boolean | null => {
    if (typeof value === 'boolean') return value
    const word = typeof value === 'string' || typeof value === 'number' ? String(value).trim().toLowerCase() : ''
    if (word === 'true' || word === '1') return true
    if (word === 'false' || word === '0') return false
    return null
  }),
  (value) => typeof value === 'boolean',
)

/** An amount as it came: a number or a string, unit undecided (see `lib/domain/money`); anything else null. */
export const amount = tell(
  anything.transform((value): number | string | null =>
    typeof value === 'number' || typeof value === 'string' ? value : null,
  ),
  (value) => typeof value === 'number' || typeof value === 'string',
)

/** A record that is kept as it came, with what parsing left out of it noted (`listOmissions`). */
export const verbatim = anything.transform((value): unknown => carryOmissions(value, value))

/** An array read item by item; a missing or misshapen one is null, not empty: nothing was said. */
export function list<Item extends z.ZodType>(item: Item) {
  return tell(
    anything.transform((value): z.output<Item>[] | null => {
      if (!Array.isArray(value)) return null
      return value.flatMap((entry) => {
        const read = item.safeParse(entry)
        return read.success ? [read.data] : []
      })
    }),
    (value) => Array.isArray(value) && value.every((entry) => entry !== null && isAsRead(item, entry)),
  )
}

/** A nested record; anything but an object is null. */
export function nested<Shape extends z.ZodType>(shape: Shape) {
  return tell(
    anything.transform((value): z.output<Shape> | null => {
      const read = shape.safeParse(value)
      return read.success ? read.data : null
    }),
    (value) => isAsRead(shape, value),
  )
}

/** What a field that holds something else than documented is kept under, beside its own reading, which is null. */
const asTold = (field: string) => `${field}${rawValueSuffix}`

/**
 * A record: its documented fields read by `shape`, whatever letter case they are written in; unknown ones are kept.
 * Nothing that was said is lost: what a documented field holds that cannot be read as such stands under
 * `field (as told)`, and what parsing left out is noted (`listOmissions`). The only thing that is refused is a value that is no record. `further`
 * names fields that may stand there besides: they keep what they hold, under these names.
 */
export function record<Shape extends Record<string, z.ZodType>>(shape: Shape, further: readonly string[] = []) {
  const object = z.looseObject(shape)
  const fields = Object.keys(shape)
  const spelledFields = [...fields, ...further]
  const parts = Object.entries(shape)
  const isWhole = (value: unknown): value is z.output<typeof object> =>
    isRecord(value) &&
    !hasOmissions(value) &&
    parts.every(([field, part]) => value[field] !== undefined && isAsRead(part, value[field])) &&
    further.every((field) => value[field] !== undefined)
  const reading = z.unknown().transform((value, context): z.output<typeof object> => {
    if (isWhole(value)) return value
    const spelled = normalizeFieldNames(value, spelledFields)
    const read = object.safeParse(spelled)
    if (!read.success) {
      context.addIssue({ code: 'custom', message: 'must be a record' })
      return z.NEVER
    }
    let told: Record<string, unknown> | undefined
    for (const field of fields) {
      if (read.data[field] !== null || typeof spelled !== 'object' || spelled === null) continue
      const said: unknown = Reflect.get(spelled, field)
      if (said !== null && said !== undefined) (told ??= {})[asTold(field)] = said
    }
    return carryOmissions(value, told ? { ...read.data, ...told } : read.data)
  })
  return Object.assign(tell(reading, isWhole), { shape })
}
