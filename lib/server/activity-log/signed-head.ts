import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject, randomBytes, sign, verify } from 'node:crypto'
import { link, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import type { Settings } from '../runtime/settings'
import { writeCanonicalJson } from './canonical-json'
import type { ChainHead } from './hash-chain'

/**
 * Heads of the activity log, signed with a key outside the store. Whoever can write to the store can forge a log with
 * correct hashes, but not a head; a published head then exposes the forgery.
 */

/** The last row at a time, the public key and the Ed25519 signature, both base64url. */
const signedHead = z.strictObject({
  sequence: z.int().min(1),
  hash: z.string().regex(/^[0-9a-f]{64}$/u),
  at: z.iso.datetime(),
  key: z.string().regex(/^[\w-]{43}$/u),
  signature: z.string().regex(/^[\w-]{86}$/u),
})

export type SignedHead = z.output<typeof signedHead>

export type HeadKey = { privateKey: KeyObject; publicKey: string }

/** PKCS #8 prefix of a raw Ed25519 private key (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Derives the key pair deterministically, so that every desk with this secret has the same key. */
export function deriveHeadKey(secret: string): HeadKey {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', 'debitdesk activity heads', 32))
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' })
  return { privateKey, publicKey: createPublicKey(privateKey).export({ format: 'jwk' }).x ?? '' }
}

function toSignedBytes({ sequence, hash, at, key }: Omit<SignedHead, 'signature'>): Buffer {
  return Buffer.from(writeCanonicalJson({ what: 'debitdesk activity head', sequence, hash, at, key }))
}

export function signHead({ sequence, hash }: ChainHead, { privateKey, publicKey }: HeadKey, now: Date): SignedHead {
  const head = { sequence, hash, at: now.toISOString(), key: publicKey }
  return { ...head, signature: sign(null, toSignedBytes(head), privateKey).toString('base64url') }
}

/** Whether the signature matches the key named in the head; the caller decides whether to trust that key. */
export function isSignedByItsKey(head: SignedHead): boolean {
  try {
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: head.key }, format: 'jwk' })
    return verify(null, toSignedBytes(head), publicKey, Buffer.from(head.signature, 'base64url'))
  } catch {
    return false
  }
}

/** Parses a line of a heads file; null if it is none, for example a last line cut short by a power failure. */
export function parseHead(line: string): SignedHead | null {
  try {
    return signedHead.safeParse(JSON.parse(line)).data ?? null
  } catch {
    return null
  }
}

/** Beside the store's folder, never in it: with a copy of the store alone nobody can sign. */
const KEY_FILE = 'activity.key'
const HEADS_FILE = 'activity-heads.jsonl'

async function readText(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
}

async function writeAndSync(path: string, text: string): Promise<void> {
  const file = await open(path, 'w', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** The signing secret: the setting, else the key file's; null if there is neither. */
export async function readHeadSecret(dataDir: string, given: string | undefined): Promise<string | null> {
  if (given !== undefined) return given
  const secret = (await readText(join(dataDir, KEY_FILE)))?.trim() ?? null
  if (secret !== null && secret.length < 32) throw new Error(`${KEY_FILE} is damaged`)
  return secret
}

/** Like readHeadSecret, but creates the file if necessary. */
export async function ensureHeadSecret(dataDir: string, given: string | undefined): Promise<string> {
  const existing = await readHeadSecret(dataDir, given)
  if (existing !== null) return existing
  const path = join(dataDir, KEY_FILE)
  const temporary = `${path}.${process.pid}`
  await writeAndSync(temporary, `${randomBytes(32).toString('base64url')}\n`)
  // A link, unlike a rename, keeps the file of whichever process was first.
  await link(temporary, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(temporary, { force: true })
  return ensureHeadSecret(dataDir, undefined)
}

export function getHeadsPath(dataDir: string): string {
  return join(dataDir, HEADS_FILE)
}

async function readLines(path: string): Promise<string[] | null> {
  const text = await readText(path)
  return text === null ? null : text.split('\n').filter((line) => line.trim() !== '')
}

/** The last accepted head of a file, or null. */
export async function findLastHead(path: string, accept: (head: SignedHead) => boolean): Promise<SignedHead | null> {
  for (const line of ((await readLines(path)) ?? []).toReversed()) {
    const head = parseHead(line)
    if (head && accept(head)) return head
  }
  return null
}

/** The heads of a file and the number of other lines; null if the file does not exist. */
export async function readHeads(path: string): Promise<{ heads: SignedHead[]; unread: number } | null> {
  const lines = await readLines(path)
  if (lines === null) return null
  const heads = lines.map(parseHead).filter((head) => head !== null)
  return { heads, unread: lines.length - heads.length }
}

/** Appends a head and syncs it, on a new line even if the last one was cut short. */
export async function appendHead(path: string, head: SignedHead): Promise<void> {
  const file = await open(path, 'a+', 0o600)
  try {
    const { size } = await file.stat()
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, Math.max(size - 1, 0))
    const isCut = size > 0 && buffer.toString() !== '\n'
    await file.appendFile(`${isCut ? '\n' : ''}${JSON.stringify(head)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** `heads` were signed by a trusted key, `forged` were not; `unread` counts lines that are no heads. */
export type TrustedHeads = { heads: SignedHead[]; forged: SignedHead[]; unread: number }

/** `message` is for people. */
export class HeadsError extends Error {}

async function readKeys(settings: Settings, trust: readonly string[] | undefined): Promise<string[]> {
  if (trust) return [...trust]
  const secret = await readHeadSecret(settings.DATA_DIR, settings.ACTIVITY_KEY)
  if (secret === null)
    throw new HeadsError('There is no key to check signed heads with: set ACTIVITY_KEY to the one that signed them.')
  return [deriveHeadKey(secret).publicKey]
}

/**
 * Reads the heads in the desk's own file and in `files`, and checks them against the `trust` keys, default: the desk's
 * own key. Throws HeadsError for a missing file or if there is no key.
 */
export async function readTrustedHeads(
  settings: Settings,
  { files = [], trust }: { files?: readonly string[] | undefined; trust?: readonly string[] | undefined },
): Promise<TrustedHeads> {
  const own = await readHeads(getHeadsPath(settings.DATA_DIR))
  const others = await Promise.all(
    files.map(async (file) => {
      const read = await readHeads(file).catch((error: NodeJS.ErrnoException) => {
        throw new HeadsError(`The file ${file} cannot be read (${error.code ?? error.name}).`)
      })
      if (!read) throw new HeadsError(`There is no file ${file}.`)
      return read
    }),
  )
  const all = [...(own ? [own] : []), ...others]
  const allHeads = all.flatMap((read) => read.heads)
  const unread = all.reduce((sum, read) => sum + read.unread, 0)
  if (allHeads.length === 0) return { heads: [], forged: [], unread }
  const keys = await readKeys(settings, trust)
  const isTrusted = (head: SignedHead) => keys.includes(head.key) && isSignedByItsKey(head)
  return { heads: allHeads.filter(isTrusted), forged: allHeads.filter((head) => !isTrusted(head)), unread }
}
