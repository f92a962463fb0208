import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { uuidSegment } from '@/lib/api-contract/path-segment'
import { deleteSchedule } from '@/lib/server/exports/schedules'
import { requireStore } from '@/lib/server/store/store'

/** Ends a scheduled export; returns the ExportScheduleRequest that would schedule it again. */
const end = deskRoute(
  { permission: 'export', params: { scheduleId: uuidSegment } },
  async ({ session, params: { scheduleId } }) =>
    Response.json(await deleteSchedule(await requireStore(), session, scheduleId)),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ DELETE: end })
