import * as z from 'zod'
import { defineEndpoint } from './endpoint'
import { listQuery, page } from './pagination'
import { segment } from './path-segment'
import { nested, record, text } from './tolerant'

/** A mandate as read (docs/upstream-api.md, section 2). The elements of `schemeData` have no specified type and are kept as is. */
export const mandate = record({
  id: text,
  handle: text,
  scheme: text,
  status: text,
  schemeData: z.unknown().optional(),
  customer: nested(record({ id: text, handle: text, name: text, number: text })),
})
export type Mandate = z.output<typeof mandate>

export const listMandates = defineEndpoint({
  id: 'listMandates',
  summary: 'Lists the mandates, by which payers permit collection.',
  permission: 'read',
  params: {},
  query: listQuery,
  reply: page(mandate),
  decisions: [
    'filter, orderby and after are as under "Filters and orders".',
    'The elements of schemeData are objects with key and value.',
  ],
})

export const getMandate = defineEndpoint({
  id: 'getMandate',
  summary: 'Reads one mandate by id or handle.',
  permission: 'read',
  params: { mandateIdOrHandle: segment },
  reply: mandate,
  decisions: ['Answers the fields of the list item.'],
})
