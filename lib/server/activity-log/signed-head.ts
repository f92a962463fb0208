import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject, randomBytes, sign, verify } from 'node:crypto'
import { link, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import type { Settings } from '../runtime/settings'
import { type ChainHead, writeCanonicalJson } from './hash-chain'

/*
 * Heads of the activity log, signed with a key that the store doesn't hold. Whoever can write to the store can write
 * another log with right hashes, but no head of it; a head that was given out shows that the log was another one.
 */

/** A row that was the log's last at a moment (ISO 8601), the public key and the Ed25519 signature in base64url. */
const signedHead = z.strictObject({
  sequence: z.int().min(1),
  hash: z.string().regex(/^[0-9a-f]{64}$/u),
  at: z.iso.datetime(),
  key: z.string().regex(/^[\w-]{43}$/u),
  signature: z.string().regex(/^[\w-]{86}$/u),
})

export type SignedHead = z.output<typeof signedHead>

export type HeadKey = { privateKey: KeyObject; publicKey: string }

/** What stands before the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410). */
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The key of a secret text: the same text is the same key, on every desk that is given it. */
export function deriveHeadKey(secret: string): HeadKey {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', 'debitdesk activity heads', 32))
  const privateKey = createPrivateKey({ key: Buffer.concat([pkcs8, seed]), format: 'der', type: 'pkcs8' })
  return { privateKey, publicKey: createPublicKey(privateKey).export({ format: 'jwk' }).x ?? '' }
}

function writeSigned({ sequence, hash, at, key }: Omit<SignedHead, 'signature'>): Buffer {
  return Buffer.from(writeCanonicalJson({ what: 'debitdesk activity head', sequence, hash, at, key }))
}

export function signHead({ sequence, hash }: ChainHead, { privateKey, publicKey }: HeadKey, now: Date): SignedHead {
  const head = { sequence, hash, at: now.toISOString(), key: publicKey }
  return { ...head, signature: sign(null, writeSigned(head), privateKey).toString('base64url') }
}

/** Whether the head was signed with the key that it names; whether that key is to be trusted is for the caller to know. */
export function isSignedByItsKey(head: SignedHead): boolean {
  try {
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: head.key }, format: 'jwk' })
    return verify(null, writeSigned(head), publicKey, Buffer.from(head.signature, 'base64url'))
  } catch {
    return false
  }
}

/** One line of a file of heads; null for one that is none, such as the last line before a power cut. */
export function parseHead(line: string): SignedHead | null {
  try {
    return signedHead.safeParse(JSON.parse(line)).data ?? null
  } catch {
    return null
  }
}

/** Beside the store's folder, never in it: a copy of the store alone can sign nothing. */
const keyFile = 'activity.key'
const headsFile = 'activity-heads.jsonl'

async function readText(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
}

async function writeThrough(path: string, text: string): Promise<void> {
  const file = await open(path, 'w', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** The secret that heads are signed with: the setting where there is one, else the file's; null where there is neither. */
export async function readHeadSecret(dataDir: string, given: string | undefined): Promise<string | null> {
  if (given !== undefined) return given
  const secret = (await readText(join(dataDir, keyFile)))?.trim() ?? null
  if (secret !== null && secret.length < 32) throw new Error(`${keyFile} is damaged`)
  return secret
}

/** The same, made at the first start. Throws what the file system throws. */
export async function keepHeadSecret(dataDir: string, given: string | undefined): Promise<string> {
  const known = await readHeadSecret(dataDir, given)
  if (known !== null) return known
  const path = join(dataDir, keyFile)
  const mine = `${path}.${process.pid}`
  await writeThrough(mine, `${randomBytes(32).toString('base64url')}\n`)
  // Linked, not renamed: of two processes that start at once the first one's stays.
  await link(mine, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(mine, { force: true })
  return keepHeadSecret(dataDir, undefined)
}

/** Where a desk keeps the heads that it signed. */
export function nameHeadsFile(dataDir: string): string {
  return join(dataDir, headsFile)
}

async function readLines(path: string): Promise<string[] | null> {
  const text = await readText(path)
  return text === null ? null : text.split('\n').filter((line) => line.trim() !== '')
}

/** The last head in a file that is accepted; null where there is none. */
export async function findLastHead(path: string, accept: (head: SignedHead) => boolean): Promise<SignedHead | null> {
  for (const line of ((await readLines(path)) ?? []).toReversed()) {
    const head = parseHead(line)
    if (head && accept(head)) return head
  }
  return null
}

/** The heads in a file, and how many of its lines are none; null where there is no such file. */
export async function readHeads(path: string): Promise<{ heads: SignedHead[]; unread: number } | null> {
  const lines = await readLines(path)
  if (lines === null) return null
  const heads = lines.map(parseHead).filter((head) => head !== null)
  return { heads, unread: lines.length - heads.length }
}

/** Appends a head, through to the disk, on a line of its own also where the last one was cut short. */
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
