import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from '@/lib/api-contract/callback-address'

/** Resolves a name to all its addresses; injected so that tests need no network. */
export type ResolveName = (host: string) => Promise<string[]>

export const systemResolve: ResolveName = async (host) =>
  (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address)

/** The name resolves to a private network. */
export class HiddenAddressError extends Error {}
/** The name doesn't resolve. */
export class NameError extends Error {}

/**
 * A DNS lookup that resolves the name once and connects to exactly the addresses it checked, all of which must be
 * public: nothing can change between check and connection (WH-08).
 */
export function lookupPublicAddress(resolve: ResolveName = systemResolve): LookupFunction {
  const find = async (host: string) => {
    const addresses = await resolve(host).catch(() => [])
    if (addresses.length === 0) throw new NameError()
    if (!addresses.every(isPublicAddress)) throw new HiddenAddressError()
    return addresses.map((address) => ({ address, family: isIP(address) }))
  }
  return (host, { all }, hand) => {
    find(host).then(
      (found) => (all ? hand(null, found) : hand(null, found[0]?.address ?? '', found[0]?.family)),
      (error: Error) => hand(error, '', 4),
    )
  }
}
