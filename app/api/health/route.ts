import { methods, openRoute } from '@/lib/server/http/route-handler'

/** Says that the process lives and answers. Whether it can work is told by /api/ready. */
const readHealth = () => Response.json({ status: 'ok' })

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: openRoute('Monitors have no session; the reply says nothing but that the desk answers.', readHealth),
})
