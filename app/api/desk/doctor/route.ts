import * as z from 'zod'
import { getConnection } from '@/lib/server/connection'
import { deskRoute } from '@/lib/server/desk-route'
import { streamExamination } from '@/lib/server/doctor/stream-examination'
import { methods } from '@/lib/server/methods'

/** Examines the session's deployment, by reading only. Answers lines of JSON as they come (DoctorLine). */
const examination = deskRoute(
  { permission: 'administer', body: z.strictObject({}) },
  ({ session, request }) =>
    new Response(streamExamination(getConnection(session.scope.connectionId), request.signal), {
      headers: { 'content-type': 'application/x-ndjson; charset=utf-8' },
    }),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: examination })
