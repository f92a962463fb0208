import { Failure } from '@/lib/server/failure'
import { openRoute } from '@/lib/server/open-route'

const refuse = openRoute('There is nothing at these addresses.', () => {
  throw new Failure('not-found')
})

export {
  refuse as DELETE,
  refuse as GET,
  refuse as HEAD,
  refuse as OPTIONS,
  refuse as PATCH,
  refuse as POST,
  refuse as PUT,
}
