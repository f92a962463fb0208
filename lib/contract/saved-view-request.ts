import * as z from 'zod'

const page = z.enum(['payments', 'customers', 'mandates'])
const name = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(80, 'must be at most 80 characters')
  .refine((value) => value.isWellFormed() && !/\p{Cc}/u.test(value), 'holds characters that cannot be shown')

/** What is a matter of the moment, not of a view: the open row, the merchant. */
const passing = ['open', 'merchant']

/** A query of an address without its `?`, without what passes. */
const query = z
  .string()
  .max(2_000)
  .transform((value) => {
    const read = new URLSearchParams(value)
    for (const one of passing) read.delete(one)
    return read.toString()
  })

export const viewsQuery = z.strictObject({ list: page })
export const viewRequest = z.strictObject({ list: page, name, query, isShared: z.boolean() })
export const viewRename = z.strictObject({ name })
export const viewDefault = z.strictObject({ isDefault: z.boolean() })
