import type { Endpoint } from '@/lib/contract/endpoint'
import { explainSegment } from '@/lib/contract/path-segment'
import { readIdentity } from '@/lib/contract/read-identity'

/** The last segment of an address that lies right below `path`, under whatever host and base path; else null. */
function readBelow(path: string, location: string): string | null {
  if (!URL.canParse(location, 'http://service/')) return null
  const parts = new URL(location, 'http://service/').pathname.replace(/\/$/u, '').split('/')
  const last = parts.pop() ?? ''
  if (!parts.join('/').toLowerCase().endsWith(path.toLowerCase())) return null
  try {
    const segment = decodeURIComponent(last)
    return explainSegment(segment) === null ? segment : null
  } catch {
    return null
  }
}

/**
 * What a creation answered, with the id of what was created: where the body does not say it, a `Location` that lies
 * below the endpoint's path does (RFC 9110 section 10.2.2). Of it nothing but this one word is used.
 */
export function nameCreated(endpoint: Endpoint, reply: unknown, location: string | undefined): unknown {
  if (endpoint.method !== 'POST' || location === undefined) return reply
  const { id, handle } = readIdentity(reply)
  if (id !== null || handle !== null) return reply
  const named = readBelow(endpoint.path, location)
  if (named === null) return reply
  return typeof reply === 'object' && reply !== null && !Array.isArray(reply) ? { ...reply, id: named } : { id: named }
}
