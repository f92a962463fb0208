import { methods, openRoute } from '@/lib/server/http/route-handler'

/** Liveness: the process responds. Readiness is /api/ready. */
const readHealth = () => Response.json({ status: 'ok' })

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: openRoute('Monitors have no session; the reply says nothing but that the desk answers.', readHealth),
})
