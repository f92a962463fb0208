import * as z from 'zod'
import { defineEndpoint } from './endpoint'
import { freeForm } from './free-form'
import { verbatim } from './tolerant'
import { hasVisibleText, notBlank } from './visible-text'

import * as m from '../messages/m'
/** Merchant input (docs/upstream-api.md, section 2). */
export const merchantInput = z.strictObject({
  name: z
    .string()
    .trim()
    .refine(hasVisibleText, { error: m.contractFields_mustNotBeEmpty })
    .max(200, { error: () => m.contractFields_mustBeAtMostCharacters({ characters: 200 }) })
    .meta(notBlank),
  isvHandle: z
    .string()
    .max(100, { error: () => m.contractFields_mustBeAtMostCharacters({ characters: 100 }) })
    .optional(),
  metaData: freeForm.optional(),
})

/** The merchant record. The interface shows no fields, so it is kept as is. */
export const merchantRecord = verbatim

export const createMerchant = defineEndpoint({
  id: 'createMerchant',
  summary: 'Creates a merchant.',
  permission: 'manage',
  params: {},
  body: merchantInput,
  reply: z.unknown(),
  decisions: [
    'Success is 201 with the merchant and, once, its token. Only an ISV credential may create merchants.',
    'Only the name is required.',
  ],
})

export const getMerchant = defineEndpoint({
  id: 'getMerchant',
  summary: "Reads the caller's merchant record.",
  permission: 'read',
  params: {},
  reply: merchantRecord,
  decisions: [
    'The record has the fields of the input, id, handle, createdAt, modifiedAt and at most 100 of its agreements.',
  ],
})
