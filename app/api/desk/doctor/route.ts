import * as z from 'zod'
import { getConnection } from '@/lib/server/upstream/connection'
import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { streamDiagnostics } from '@/lib/server/diagnostics/diagnostics'

/** Examines the session's deployment, by reading only. Answers lines of JSON as they come (DiagnosticsLine). */
const examination = deskRoute(
  { permission: 'administer', body: z.strictObject({}) },
  ({ session, request }) =>
    new Response(streamDiagnostics(getConnection(session.scope.connectionId), request.signal), {
      headers: { 'content-type': 'application/x-ndjson; charset=utf-8' },
    }),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: examination })
