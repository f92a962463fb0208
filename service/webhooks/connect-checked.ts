import type { LookupFunction } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { isPublicAddress } from '@/lib/contract/public-address'
import type { CallbackPolicy } from './callback-policy'

/** Thrown when a name resolves to an address that is not public. */
export class HiddenAddressError extends Error {
  constructor() {
    super('The callback does not resolve to public addresses alone')
    this.name = 'HiddenAddressError'
  }
}

/** Resolves once, checks every answer, and hands out only what was checked: nothing can change in between. */
function checkedLookup(policy: CallbackPolicy): LookupFunction {
  return (host, options, hand) => {
    policy.resolve(host).then(
      (addresses) => {
        const [first] = addresses
        if (first === undefined || !addresses.every(isPublicAddress)) return hand(new HiddenAddressError(), '', 4)
        const familyOf = (address: string) => (address.includes(':') ? 6 : 4)
        if (options.all)
          return hand(
            null,
            addresses.map((address) => ({ address, family: familyOf(address) })),
          )
        return hand(null, first, familyOf(first))
      },
      (error: unknown) => hand(error instanceof Error ? error : new Error(String(error)), '', 4),
    )
  }
}

/** Bytes that one connection may bring: a reply of 64 KB and its headers, in pieces of up to 64 KB. */
const mostRead = 131_072

/** Connects, and hangs up on whoever says too much before there is a body whose size could be looked at. */
function limitedConnector(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector(options)
  return (target, hand) =>
    connect(target, (...[error, socket]) => {
      if (error || !socket) return hand(error ?? new Error('There is no connection'), null)
      socket.on('readable', () => {
        if (socket.bytesRead > mostRead) socket.destroy(new Error('The receiver says too much'))
      })
      hand(null, socket)
    })
}

/** Connections for callbacks: `checked` for all, `trusted` for hosts and ports that the operator has allowed by name. */
export function openAgents(policy: CallbackPolicy): { checked: Agent; trusted: Agent; close: () => Promise<void> } {
  // A connection serves one delivery: what was checked is never reused for another name.
  const shared = { pipelining: 0, maxResponseSize: 65_536, headersTimeout: 15_000, bodyTimeout: 5_000 }
  const checked = new Agent({
    ...shared,
    connect: limitedConnector({ lookup: checkedLookup(policy), timeout: 10_000 }),
  })
  const trusted = new Agent({ ...shared, connect: limitedConnector({ timeout: 10_000 }) })
  return {
    checked,
    trusted,
    close: async () => {
      await Promise.all([checked.destroy(), trusted.destroy()])
    },
  }
}
