import { openRoute } from '@/lib/server/http/route-handler'
import { AppError } from '@/lib/server/runtime/app-error'

const refuse = openRoute('There is nothing at these addresses.', () => {
  throw new AppError('not-found')
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
