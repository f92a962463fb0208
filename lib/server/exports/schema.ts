import * as z from 'zod'
import type { filterFields } from '@/lib/api-contract/filter'
import { filterRequest } from '@/lib/domain/lists/filter-request'
import { isTimeZone } from '@/lib/domain/time-zone'

import * as m from '@/lib/messages/m'
const field = z.string().max(100)
const filter = filterRequest(field)

/** See ExportQuery. */
export const listExportRequest = z.strictObject({
  list: z.enum(['listPayments', 'listCustomers', 'listMandates'] satisfies (keyof typeof filterFields)[]),
  asked: filter.nullable(),
  rest: filter.nullable(),
  order: z.strictObject({ field, direction: z.enum(['asc', 'desc']) }).nullable(),
  filters: z.record(z.string().max(50), z.string().max(500)).refine((given) => Object.keys(given).length <= 20),
  columns: z.array(z.string().max(50)).min(1, { error: m.requestRules_chooseAtLeastOneColumn }).max(50),
  flavour: z.enum(['comma', 'semicolon']).optional(),
  zone: z.string().refine(isTimeZone, { error: m.requestRules_mustBeATimeZone }),
})

export const listExportChange = z.strictObject({ action: z.enum(['stop', 'resume']) })
