import * as z from 'zod'
import type { filterFields } from '@/lib/api-contract/filter'
import { filterRequest } from '@/lib/domain/lists/filter-request'
import { findDayPreset } from '@/lib/domain/lists/day-presets'
import { rhythms } from '@/lib/domain/lists/export-schedule'
import { isTimeZone } from '@/lib/domain/dates/time-zone'
import { storableText } from '@/lib/domain/text/storable-text'
import * as m from '@/lib/messages/m'
import { findForeignField, findForeignFields } from './query-fields'

const field = z.string().max(100)
const filter = filterRequest(field)
const sortOrder = z.strictObject({ field, direction: z.enum(['asc', 'desc']) })

const query = z.strictObject({
  list: z.enum(['listPayments', 'listCustomers', 'listMandates'] satisfies (keyof typeof filterFields)[]),
  asked: filter.nullable(),
  rest: filter.nullable(),
  order: z.union([z.array(sortOrder).max(5), sortOrder]).nullable(),
  filters: z.record(storableText.max(50), storableText.max(500)).refine((given) => Object.keys(given).length <= 20),
  columns: z.array(storableText.max(50)).min(1, { error: m.requestRules_chooseAtLeastOneColumn }).max(50),
  flavour: z.enum(['comma', 'semicolon']).optional(),
  zone: z.string().refine(isTimeZone, { error: m.requestRules_mustBeATimeZone }),
})

/** See ExportQuery. */
export const listExportRequest = query.superRefine((given, context) => {
  for (const { part, field: name } of findForeignFields(given))
    context.addIssue({ code: 'custom', path: [part], message: m.requestRules_namesNoFieldOfList({ field: name }) })
})

/** See ExportScheduleRequest. */
export const exportScheduleRequest = z
  .strictObject({
    query: listExportRequest,
    moving: z
      .array(
        z.strictObject({
          field,
          preset: z.string().refine((id) => findDayPreset(id) !== undefined, { error: m.requestRules_isNoRangeOfDays }),
        }),
      )
      .max(10),
    times: z
      .strictObject({ rhythm: z.enum(rhythms), day: z.int().min(1).max(31), hour: z.int().min(0).max(23) })
      .refine(({ rhythm, day }) => rhythm !== 'weekly' || day <= 7, {
        error: m.requestRules_isNoWeekday,
        path: ['day'],
      }),
  })
  .superRefine(({ query: { list }, moving }, context) => {
    const name = findForeignField(
      list,
      moving.map((one) => one.field),
    )
    if (name !== undefined)
      context.addIssue({
        code: 'custom',
        path: ['moving'],
        message: m.requestRules_namesNoFieldOfList({ field: name }),
      })
  })

export const listExportChange = z.strictObject({ action: z.enum(['stop', 'resume']) })
