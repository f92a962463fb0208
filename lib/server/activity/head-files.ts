import { randomBytes } from 'node:crypto'
import { link, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseHead, type SignedHead } from './signed-head'

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
