import * as z from 'zod'
import { hasInvisibleCharacters } from '@/lib/domain/text/invisible-characters'
import * as m from '@/lib/messages/m'

const page = z.enum(['payments', 'customers', 'mandates'])
const name = z
  .string()
  .trim()
  .min(1, { error: m.contractFields_mustNotBeEmpty })
  .max(80, { error: () => m.contractFields_mustBeAtMostCharacters({ characters: 80 }) })
  .refine((value) => !hasInvisibleCharacters(value), { error: m.requestRules_holdsInvisibleCharacters })

/** Parameters that are not part of a view: the open row, the merchant. */
const TRANSIENT_PARAMETERS = ['open', 'merchant']

/** A URL query without `?` and transient parameters. */
const query = z
  .string()
  .max(2_000)
  .transform((value) => {
    const parameters = new URLSearchParams(value)
    for (const one of TRANSIENT_PARAMETERS) parameters.delete(one)
    return parameters.toString()
  })

export const viewsQuery = z.strictObject({ list: page })
export const viewRequest = z.strictObject({ list: page, name, query, isShared: z.boolean() })
export const viewRename = z.strictObject({ name })
export const viewUpdate = z.strictObject({ query })
export const viewDefault = z.strictObject({ isDefault: z.boolean() })

/** A user's columns for a list, in the URL's format; null for the default. */
export const columnChoice = z.strictObject({
  list: z.enum(['payments', 'customers', 'mandates']),
  columns: z
    .string()
    .max(1_000)
    .regex(/^[\w.-]+$/u)
    .nullable(),
})
