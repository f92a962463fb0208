import * as z from 'zod'

/*
 * Readings of reply fields. Section 2 of the interface names types but promises neither presence nor
 * values, so each reading answers null in place of what it cannot read and never throws. Each is optional:
 * zod counts a key that is missing from an object as an error even where `unknown` is asked for.
 */
const anything = z.unknown().optional()

/** Text: a string as it came; a number or boolean as its digits or word; anything else null. */
export const text = anything.transform((value): string | null => {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return null
})

/** A truth value: true and false, also as words; anything else null. */
export const flag = anything.transform((value): boolean | null => {
  if (typeof value === 'boolean') return value
  if (value === 'true' || value === 'True') return true
  if (value === 'false' || value === 'False') return false
  return null
})

/** An amount as it came: a number or a string, unit undecided (see `lib/format/money`); anything else null. */
export const amount = anything.transform((value): number | string | null =>
  typeof value === 'number' || typeof value === 'string' ? value : null,
)

/** An array read item by item; a missing or misshapen one is null, not empty: nothing was said. */
export function list<Item extends z.ZodType>(item: Item) {
  return anything.transform((value): z.output<Item>[] | null => {
    if (!Array.isArray(value)) return null
    return value.flatMap((entry) => {
      const read = item.safeParse(entry)
      return read.success ? [read.data] : []
    })
  })
}

/** A nested record; anything but an object is null. */
export function nested<Shape extends z.ZodType>(shape: Shape) {
  return anything.transform((value): z.output<Shape> | null => {
    const read = shape.safeParse(value)
    return read.success ? read.data : null
  })
}
