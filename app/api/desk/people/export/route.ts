import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { personRequest } from '@/lib/domain/people'
import { requireRecentPassword } from '@/lib/server/auth/step-up'
import { countDownload } from '@/lib/server/exports/quota'
import { streamText } from '@/lib/server/http/stream-text'
import { exportPerson } from '@/lib/server/people/kept'
import { requireStore } from '@/lib/server/store/store'

/** Everything that is kept about a person as one JSON file; the export is logged first. */
const exportKept = deskRoute({ permission: 'administer', body: personRequest }, async ({ session, body }) => {
  await requireRecentPassword(session)
  const db = await requireStore()
  const file = await countDownload(db, session, async () => streamText(await exportPerson(db, session, body)))
  return new Response(file, {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': `attachment; filename="kept-data-${new Date().toISOString().slice(0, 10)}.json"`,
    },
  })
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: exportKept })
