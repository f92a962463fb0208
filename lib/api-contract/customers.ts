import * as z from 'zod'
import { customerFields } from './customer-fields'
import { defineEndpoint } from './endpoint'
import { listQuery, page } from './pagination'
import { segment, uuidSegment } from './path-segment'
import { list, record, text } from './tolerant'
import { hasVisibleText, notBlank } from './visible-text'

import * as m from '../messages/m'
const mandateSummary = record({ handle: text, scheme: text, state: text })

/** A customer as read (docs/upstream-api.md, section 2): any field may be null, unknown fields are kept. */
export const customer = record(
  {
    id: text,
    name: text,
    handle: text,
    number: text,
    createdAt: text,
    modifiedAt: text,
    mandates: list(mandateSummary),
  },
  customerFields.map(({ name }) => name),
)
export type Customer = z.output<typeof customer>

/** The most characters of a field that is typed. */
const MAX_TYPED = 200

function makeLine(characters: number, text = z.string()) {
  return (
    text
      .max(characters, { error: () => m.contractFields_mustBeAtMostCharacters({ characters }) })
      // A Postgres text column can hold neither lone surrogates nor NUL.
      .refine((value) => value.isWellFormed() && !value.includes('\0'), { error: m.contractFields_mustHoldText })
  )
}

const line = makeLine(MAX_TYPED)

/** Customer input (docs/upstream-api.md, section 2). The interface does not say what is required; we require a name (decision 0002). */
export const customerInput = z.strictObject({
  name: makeLine(MAX_TYPED, z.string().trim().refine(hasVisibleText, { error: m.contractFields_mustNotBeEmpty })).meta(
    notBlank,
  ),
  number: line.optional(),
  addressLine1: line.optional(),
  addressLine2: line.optional(),
  city: line.optional(),
  country: line.optional(),
  postalCode: line.optional(),
})

/** The fields of the input that a person changes, and that the embedded service takes. */
export const customerChange = customerInput.partial()

/** Sent back as it was read: which values a provider holds is not shown. Documented as what the embedded service takes. */
const kept = makeLine(10_000).meta({ maxLength: MAX_TYPED }).optional()

/**
 * Customer update (undocumented, decision 0002): the fields of the input that are to change, with those that are sent back
 * as they were (see planCustomerUpdate).
 */
export const customerUpdate = z.strictObject({
  name: makeLine(10_000)
    .meta({ maxLength: MAX_TYPED, ...notBlank })
    .optional(),
  number: kept,
  addressLine1: kept,
  addressLine2: kept,
  city: kept,
  country: kept,
  postalCode: kept,
})

export const listCustomers = defineEndpoint({
  id: 'listCustomers',
  summary: 'Lists the customers, who are the payers.',
  permission: 'read',
  params: {},
  query: listQuery,
  reply: page(customer),
  decisions: ['filter, orderby and after are as under "Filters and orders".'],
})

export const createCustomer = defineEndpoint({
  id: 'createCustomer',
  summary: 'Creates a customer.',
  permission: 'manage',
  params: {},
  body: customerInput,
  reply: z.unknown(),
  decisions: [
    'Success is 201 with the customer and a Location; any 2xx is read as success.',
    'Only the name is required. Two customers may share a name or a number.',
  ],
})

export const getCustomer = defineEndpoint({
  id: 'getCustomer',
  summary: 'Reads one customer by id or handle.',
  permission: 'read',
  params: { customerIdOrHandle: segment },
  reply: customer,
  decisions: [
    'A value that is the id of a customer is an id; otherwise it is a handle.',
    'Answers the fields of the list item and those of the customer input.',
  ],
})

export const updateCustomer = defineEndpoint({
  id: 'updateCustomer',
  summary: 'Changes a customer.',
  permission: 'manage',
  params: { customerIdOrHandle: segment },
  body: customerUpdate,
  reply: z.unknown(),
  decisions: [
    'The body takes the fields of the customer input; fields that are absent stay as they are.',
    'Answers the customer as it is now.',
  ],
})

export const deleteCustomer = defineEndpoint({
  id: 'deleteCustomer',
  summary: 'Deletes a customer.',
  permission: 'manage',
  params: { customerId: uuidSegment },
  reply: z.unknown(),
  decisions: [
    'Success is 204. A customer with open payments answers 409; mandates and payments that are over go with it.',
  ],
})
