import type { Settings } from '../settings'
import { nameHeadsFile, readHeadSecret, readHeads } from './head-files'
import { deriveHeadKey, isSignedByItsKey, type SignedHead } from './signed-head'

/** `heads` are those that a trusted key signed, `forged` all others; `unread` counts lines that are no heads. */
export type TrustedHeads = { heads: SignedHead[]; forged: SignedHead[]; unread: number }

/** Heads that cannot be compared with; `message` is for people. */
export class HeadsRefusal extends Error {}

async function readKeys(settings: Settings, trust: readonly string[] | undefined): Promise<string[]> {
  if (trust) return [...trust]
  const secret = await readHeadSecret(settings.DATA_DIR, settings.ACTIVITY_KEY)
  if (secret === null)
    throw new HeadsRefusal(
      'There is no key to check signed heads with: set ACTIVITY_KEY, or name the public key with --trust.',
    )
  return [deriveHeadKey(secret).publicKey]
}

/**
 * The heads in the desk's own file and in those that are named, checked against the keys that are trusted: those that
 * are named, else the desk's own. Throws HeadsRefusal for a file that is not there and where there is no key.
 */
export async function readTrustedHeads(
  settings: Settings,
  { files = [], trust }: { files?: readonly string[] | undefined; trust?: readonly string[] | undefined },
): Promise<TrustedHeads> {
  const own = await readHeads(nameHeadsFile(settings.DATA_DIR))
  const others = await Promise.all(
    files.map(async (file) => {
      const read = await readHeads(file)
      if (!read) throw new HeadsRefusal(`There is no file ${file}.`)
      return read
    }),
  )
  const all = [...(own ? [own] : []), ...others]
  const found = all.flatMap((read) => read.heads)
  const unread = all.reduce((sum, read) => sum + read.unread, 0)
  if (found.length === 0) return { heads: [], forged: [], unread }
  const keys = await readKeys(settings, trust)
  const isTrusted = (head: SignedHead) => keys.includes(head.key) && isSignedByItsKey(head)
  return { heads: found.filter(isTrusted), forged: found.filter((head) => !isTrusted(head)), unread }
}
