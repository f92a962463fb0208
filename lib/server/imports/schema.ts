import * as z from 'zod'
import { importLimits, measureImport } from '@/lib/domain/customers/customer-import'
import { hasInvisibleCharacters } from '@/lib/domain/text/invisible-characters'
import * as m from '@/lib/messages/m'

const column = z.int().min(0).max(200).optional()

/** Body of POST /api/desk/imports. */
export const importRequest = z.strictObject({
  fileName: z
    .string()
    .trim()
    .min(1, { error: m.contractFields_mustNotBeEmpty })
    .max(200, { error: () => m.contractFields_mustBeAtMostCharacters({ characters: 200 }) })
    .refine((name) => !hasInvisibleCharacters(name), { error: m.requestRules_holdsInvisibleCharacters }),
  text: z
    .string()
    .min(1, { error: m.contractFields_mustNotBeEmpty })
    .refine((text) => measureImport(text) <= importLimits.bytes, { error: m.requestRules_isTooLarge }),
  mapping: z.strictObject({
    name: column,
    number: column,
    addressLine1: column,
    addressLine2: column,
    postalCode: column,
    city: column,
    country: column,
  }),
  takesRepeats: z.boolean().optional(),
  existingLines: z.array(z.int().min(1)).max(importLimits.lines).optional(),
})

/** Body of POST /api/desk/imports/existing. */
export const existingNumbersRequest = z.strictObject({
  numbers: z.array(z.string().trim().min(1).max(200)).max(importLimits.lines),
})
