import type { LookupFunction } from 'node:net'
import { Agent } from 'undici'
import { type CallbackPolicy, isPublicAddress } from './callback-policy'

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

/** Connections for callbacks: `checked` for all, `trusted` for hosts and ports that the operator has allowed by name. */
export function openAgents(policy: CallbackPolicy): { checked: Agent; trusted: Agent; close: () => Promise<void> } {
  // A connection serves one delivery: what was checked is never reused for another name.
  const shared = { pipelining: 0, maxResponseSize: 65_536, headersTimeout: 15_000, bodyTimeout: 5_000 }
  const checked = new Agent({ ...shared, connect: { lookup: checkedLookup(policy), timeout: 10_000 } })
  const trusted = new Agent({ ...shared, connect: { timeout: 10_000 } })
  return {
    checked,
    trusted,
    close: async () => {
      await Promise.all([checked.destroy(), trusted.destroy()])
    },
  }
}
