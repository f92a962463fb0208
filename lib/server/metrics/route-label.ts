import type { IncomingMessage, ServerResponse } from 'node:http'
import { routeMethods } from '../http/route-declaration'
import type { RequestContext } from '../runtime/request-context'
import { getInstruments } from './instruments'

/** The first folders of pages. Pages below one are counted together. */
export const pageSections = [
  'account',
  'activity',
  'agreements',
  'attention',
  'customers',
  'exports',
  'forgot-password',
  'mandates',
  'merchant',
  'merchants',
  'payments',
  'reference',
  'set-password',
  'sign-in',
  'signed-in',
  'team',
  'webhooks',
]

/** For everything without a route, such as refused targets. */
const OTHER = 'other'

/** The label of a request that no handler has named: one of a fixed list, whatever the client sent. */
function labelTarget(target: string): string {
  const [, section = ''] = target.split('?', 1)[0]?.split('/') ?? []
  if (target.startsWith('/_next/static/')) return '/_next/static'
  if (section === '') return target.startsWith('/') && !target.startsWith('//') ? '/' : OTHER
  return pageSections.includes(section) ? `/${section}` : OTHER
}

/** The method and route of a request, known once its handler runs. A route's refusal of an unknown method changes the request's. */
export function labelRequest(
  { method, url }: IncomingMessage,
  context: RequestContext,
): { method: string; route: string } {
  return {
    method: routeMethods.find((known) => known === method) ?? OTHER,
    route: context.route ?? labelTarget(url ?? ''),
  }
}

/** Counts a request once its reply has ended. Event streams, which stay open for hours, have no duration. */
export function countRequest(request: IncomingMessage, response: ServerResponse, context: RequestContext): void {
  const began = performance.now()
  const { method } = labelRequest(request, context)
  response.once('close', () => {
    const { requests, requestDuration } = getInstruments()
    const { route } = labelRequest(request, context)
    const isWhole = response.writableFinished
    requests.inc({ method, route, status: isWhole ? String(response.statusCode) : 'aborted' })
    const isStream = String(response.getHeader('content-type')).startsWith('text/event-stream')
    if (isWhole && !isStream) requestDuration.observe({ route }, (performance.now() - began) / 1_000)
  })
}
