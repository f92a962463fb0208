import type { Endpoint } from '@/lib/contract/endpoint'
import { segment } from '@/lib/contract/path-segment'
import { Failure } from './failure'
import * as refusals from '@/lib/words/refusals'

/** A query as parsed by the contract: absent values are left out. */
export type QueryValues = Record<string, string | number | boolean | undefined>

function readParameter(endpoint: Endpoint, name: string, params: Record<string, string>): string {
  const read = segment.safeParse(params[name])
  if (read.success && name in endpoint.params) return read.data
  const reason = read.error?.issues[0]?.message ?? 'is not known'
  throw new Failure('bad-request', { detail: refusals.fieldIs(name, reason), errors: { [name]: [reason] } })
}

/**
 * The address of a call: base address, the endpoint's template with each parameter checked and encoded
 * as one segment, whatever its deployment's ids look like, and the query. What the template says literally can be neither left nor extended: the
 * finished address is read back and compared. Throws Failure 'bad-request' for a parameter that does not
 * fit, before anything is sent.
 */
export function buildUpstreamUrl(
  baseUrl: URL,
  endpoint: Endpoint,
  params: Record<string, string>,
  query: QueryValues = {},
): URL {
  const path = endpoint.path.replaceAll(/\{(\w+)\}/gu, (_, name: string) =>
    encodeURIComponent(readParameter(endpoint, name, params)),
  )
  const expected = `${baseUrl.pathname.replace(/\/+$/u, '')}${path}`
  const url = new URL(`${baseUrl.origin}${expected}`)
  if (url.origin !== baseUrl.origin || url.pathname !== expected || url.search !== '' || url.hash !== '') {
    throw new Failure('bad-request', { detail: refusals.theAddressWouldLeaveItsTemplate })
  }
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  return url
}
