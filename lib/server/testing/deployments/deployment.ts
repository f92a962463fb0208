import { addresses, type EndpointId } from '@/lib/api-contract/addresses'
import type { FaultService, RecordedRequest, Script } from '../fault-service'

/** A payment as stored by a test server; its representation differs between servers. */
export type StoredPayment = { id: string; status: 'pending' | 'settled' | 'cancelled'; amount: number }

/** A test service that fills the gaps of the API contract in its own way. */
export type Deployment = {
  service: FaultService
  /** The desk's settings for it. */
  settings: Record<string, string>
  payments: StoredPayment[]
}

/** A parsed request. */
export type ParsedRequest = {
  request: RecordedRequest
  params: Record<string, string>
  query: URLSearchParams
  body: unknown
}

export type Routes = Partial<Record<EndpointId, (asked: ParsedRequest) => Script>>

/** The parameters of a path matching a template; null otherwise. */
export function matchPath(template: string, path: string): Record<string, string> | null {
  const names = template.split('/')
  const parts = path.split('/')
  if (names.length !== parts.length) return null
  const params: Record<string, string> = {}
  for (const [index, name] of names.entries()) {
    const part = decodeURIComponent(parts[index] ?? '')
    if (name.startsWith('{')) params[name.slice(1, -1)] = part
    else if (name !== part) return null
  }
  return params
}

/** Literal path segments take precedence over parameters, as in routers. */
export const orderedIds = (Object.keys(addresses) as EndpointId[]).toSorted(
  (one, other) => addresses[one].path.split('{').length - addresses[other].path.split('{').length,
)

/** Dispatches a request below `base`; null without a route. */
export function route(routes: Routes, request: RecordedRequest, base = ''): Script | null {
  const { pathname, searchParams } = new URL(request.path, 'http://service')
  if (!pathname.startsWith(base)) return null
  const path = pathname.slice(base.length) || '/'
  for (const id of orderedIds) {
    const { method, path: template } = addresses[id]
    const params = method === request.method ? matchPath(template, path) : null
    const handle = params && routes[id]
    if (handle) {
      const body: unknown = request.body === '' ? undefined : JSON.parse(request.body)
      return handle({ request, params, query: searchParams, body })
    }
  }
  return null
}

/** Creates payments, every third settled and the others pending. */
export function makePayments(count: number): StoredPayment[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    status: index % 3 === 2 ? 'settled' : 'pending',
    amount: 10_000 + index * 250,
  }))
}

/** A script with a JSON body, under any media type. */
export function replyJson(value: unknown, status = 200, mediaType = 'application/json'): Script {
  return { status, headers: { 'content-type': mediaType }, body: JSON.stringify(value) }
}
