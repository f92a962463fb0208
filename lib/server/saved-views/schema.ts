import * as z from 'zod'
import * as fields from '@/lib/api-contract/words/fields'
import * as requests from '@/lib/api-contract/words/requests'
import { hasInvisibleCharacters } from '@/lib/domain/invisible-characters'

const page = z.enum(['payments', 'customers', 'mandates'])
const name = z
  .string()
  .trim()
  .min(1, fields.mustNotBeEmpty)
  .max(80, fields.mustBeAtMostCharacters(80))
  .refine((value) => !hasInvisibleCharacters(value), requests.holdsInvisibleCharacters)

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

/** A user's own columns of a list, as its address would write them; null for those it comes with. */
export const columnChoice = z.strictObject({
  list: z.enum(['payments', 'customers', 'mandates']),
  columns: z
    .string()
    .max(1_000)
    .regex(/^[\w.-]+$/u)
    .nullable(),
})
