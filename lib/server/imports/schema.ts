import * as z from 'zod'
import { importLimits, measureImport } from '@/lib/domain/customer-import'
import { hasInvisibleCharacters } from '@/lib/domain/invisible-characters'
import * as fields from '@/lib/api-contract/words/fields'
import * as requests from '@/lib/api-contract/words/requests'

const column = z.int().min(0).max(200).optional()

/** Body of POST /api/desk/imports. */
export const importRequest = z.strictObject({
  fileName: z
    .string()
    .trim()
    .min(1, fields.mustNotBeEmpty)
    .max(200, fields.mustBeAtMostCharacters(200))
    .refine((name) => !hasInvisibleCharacters(name), requests.holdsInvisibleCharacters),
  text: z
    .string()
    .min(1, fields.mustNotBeEmpty)
    .refine((text) => measureImport(text) <= importLimits.bytes, requests.isTooLarge),
  mapping: z.strictObject({
    name: column,
    number: column,
    addressLine1: column,
    addressLine2: column,
    postalCode: column,
    city: column,
    country: column,
  }),
})
