import { sql } from 'drizzle-orm'
import { Failure } from '@/lib/server/failure'
import { methods } from '@/lib/server/methods'
import { openRoute } from '@/lib/server/open-route'
import { requireStore } from '@/lib/server/store/require-store'

/** Says whether the desk itself can work: its store answers. The service's state is no part of it. */
async function readHealth(): Promise<Response> {
  const db = await requireStore()
  await db.execute(sql`select 1`).catch((cause: unknown) => {
    throw new Failure('store-unavailable', {}, { cause })
  })
  return Response.json({ status: 'ok' })
}

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: openRoute('Monitors have no session; the reply says nothing but that the desk works.', readHealth),
})
