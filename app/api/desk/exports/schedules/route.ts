import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { requireRecentPassword } from '@/lib/server/auth/step-up'
import { exportScheduleRequest } from '@/lib/server/exports/schema'
import { createSchedule, listSchedules, viewSchedule } from '@/lib/server/exports/schedules'
import { requireStore } from '@/lib/server/store/store'

/** The person's own scheduled exports: `{ schedules: ExportScheduleView[] }`. */
const list = deskRoute({ permission: 'export' }, async ({ session }) =>
  Response.json({ schedules: (await listSchedules(await requireStore(), session)).map(viewSchedule) }),
)

/** Schedules an export and returns its ExportScheduleView. Requires a recent password, as nobody is asked at its hour. */
const schedule = deskRoute({ permission: 'export', body: exportScheduleRequest }, async ({ session, body }) => {
  await requireRecentPassword(session)
  return Response.json(viewSchedule(await createSchedule(await requireStore(), session, body)), { status: 201 })
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: list, POST: schedule })
