import { deskRoute, methods } from '@/lib/server/http/route-handler'
import * as z from 'zod'
import { getConnection } from '@/lib/server/upstream/connection'
import { streamDiagnostics } from '@/lib/server/diagnostics/diagnostics'

/** Runs read-only diagnostics of the session's deployment. Streams lines of JSON (DiagnosticsLine). */
const examination = deskRoute(
  { permission: 'administer', body: z.strictObject({}) },
  ({ session, request }) =>
    new Response(streamDiagnostics(getConnection(session.scope.connectionId), request.signal), {
      headers: { 'content-type': 'application/x-ndjson; charset=utf-8' },
    }),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: examination })
