import * as z from 'zod'
import { defineEndpoint } from './endpoint'
import { freeForm } from './free-form'
import { segment, uuidSegment } from './path-segment'
import { flag, record, text } from './tolerant'
import { hasVisibleText, notBlank } from './visible-text'

import * as m from '../messages/m'
/** An agreement as read. The interface shows no fields: those of the input are expected, unknown ones are kept. */
export const agreement = record(
  {
    id: text,
    handle: text,
    scheme: text,
    status: text,
    schemeData: z.unknown().optional(),
    test: flag,
    dataSourceHandle: text,
  },
  ['createdAt', 'modifiedAt'],
)
export type Agreement = z.output<typeof agreement>

/** Agreement input (docs/upstream-api.md, section 2). */
export const agreementInput = z.strictObject({
  scheme: z
    .string()
    .trim()
    .refine(hasVisibleText, { error: m.contractFields_mustNotBeEmpty })
    .max(100, { error: () => m.contractFields_mustBeAtMostCharacters({ characters: 100 }) })
    .meta(notBlank),
  schemeData: freeForm.optional(),
  test: z.boolean().optional(),
  dataSourceHandle: z
    .string()
    .max(200, { error: () => m.contractFields_mustBeAtMostCharacters({ characters: 200 }) })
    .optional(),
})

export const createAgreement = defineEndpoint({
  id: 'createAgreement',
  summary: 'Creates an agreement, which ties the merchant to a scheme.',
  permission: 'manage',
  params: {},
  body: agreementInput,
  reply: z.unknown(),
  decisions: [
    'Success is 201 with the agreement and a Location; it is Pending until the scheme has taken it up.',
    'Only the scheme is required.',
  ],
})

export const getAgreement = defineEndpoint({
  id: 'getAgreement',
  summary: 'Reads one agreement by id or handle.',
  permission: 'read',
  params: { agreementIdOrHandle: segment },
  reply: agreement,
  decisions: ['Answers the fields of the input, id, handle, status, createdAt and modifiedAt.'],
})

export const deleteAgreement = defineEndpoint({
  id: 'deleteAgreement',
  summary: 'Deletes an agreement.',
  permission: 'manage',
  params: { agreementId: uuidSegment },
  reply: z.unknown(),
  decisions: ['Success is 204. An agreement with payments that are still to be collected answers 409.'],
})
