import { handleAuth } from '@/lib/server/auth/next-auth'
import { declare, readRouteParams } from '@/lib/server/http/route-declaration'

const handle = declare(
  { kind: 'open', why: 'Signing in has no session yet; next-auth holds its own proofs.' },
  async (request, context) => {
    const { nextauth = [] } = await readRouteParams(context)
    return handleAuth(request, [nextauth].flat())
  },
)

export {
  handle as DELETE,
  handle as GET,
  handle as HEAD,
  handle as OPTIONS,
  handle as PATCH,
  handle as POST,
  handle as PUT,
}
