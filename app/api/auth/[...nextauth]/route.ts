import { handleAuth } from '@/lib/server/auth-handler'
import { declare, readRouteParams } from '@/lib/server/route-handler'

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
