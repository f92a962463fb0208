import type { Endpoint } from '@/lib/contract/endpoint'
import type { Connection } from './connection'
import type { UpstreamCall, UpstreamReply } from './upstream'

/** Up to which page size a list goes; null: it takes no `limit` at all. */
type Fit = { largest: number | null; learnedAt: number; until: number }

declare global {
  /** By connection and list; on globalThis because Next loads this module once per graph. */
  var debitdeskLimits: Map<string, Fit> | undefined
}

/** Page sizes that are tried, largest first; then the size that the service chooses by itself. */
const sizes = [100, 50, 20] as const
const day = 24 * 60 * 60 * 1_000
/** So long nothing is tried again where every size was refused: it was not about the size then. */
const rest = 60_000

/** Statuses that say "not with these values". */
const refusals = [400, 413, 416, 422]

function withLimit(call: UpstreamCall, limit: number | null): UpstreamCall {
  const { limit: _, ...query } = call.query ?? {}
  return { ...call, query: limit === null ? query : { ...query, limit } }
}

function fitted(asked: number, { largest }: Fit): number | null {
  return largest === null ? null : Math.min(asked, largest)
}

/** Whether a refusal can only be about the size: else it may be the filter, the order or the offset. */
function isPlain({ query }: UpstreamCall): boolean {
  return [query?.filter, query?.orderby, query?.after].every((value) => value === undefined)
}

/**
 * Sends a read of a list with the page size it asks for, or the largest that the service takes: 100, 50, 20,
 * and none named. The interface allows up to 100 for two lists and names no query of GET /Payments. What was
 * found, and confirmed by a second refusal of the larger one, holds for a day, until a page of that size is refused. A call without `limit` is sent as it is.
 */
export async function fitLimit(
  connection: Connection,
  { id }: Endpoint,
  call: UpstreamCall,
  send: (call: UpstreamCall) => Promise<UpstreamReply>,
): Promise<UpstreamReply> {
  const asked = call.query?.limit
  if (typeof asked !== 'number') return send(call)
  const fits = (globalThis.debitdeskLimits ??= new Map())
  const key = `${connection.connectionId} ${connection.baseUrl.href} ${id}`
  const now = Date.now()
  const learn = (largest: number | null, lives: number) =>
    fits.set(key, { largest, learnedAt: now, until: now + lives })
  const held = fits.get(key)
  const fit = held && held.until > now ? held : undefined
  const limit = fit ? fitted(asked, fit) : asked
  const first = await send(withLimit(call, limit))
  if (!refusals.includes(first.status)) {
    if (!fit && first.status === 200 && asked === sizes[0]) learn(asked, day)
    return first
  }
  if (limit === null || (fit && !(isPlain(call) && now - fit.learnedAt > rest))) return first
  for (const size of [...sizes.filter((smaller) => smaller < limit), null]) {
    const reply = await send(withLimit(call, size))
    if (refusals.includes(reply.status)) continue
    if (reply.status !== 200) return reply
    // A refusal that has passed was not about the size.
    const again = await send(withLimit(call, limit))
    if (again.status === 200) return again
    if (refusals.includes(again.status)) learn(size, day)
    return reply
  }
  if (isPlain(call)) learn(sizes[0], rest)
  return first
}
