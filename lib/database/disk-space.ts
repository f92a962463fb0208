import { statfs } from 'node:fs/promises'
import type { PGlite } from '@electric-sql/pglite'
import { DatabaseError } from './errors'

/** Below this many free bytes nothing is written: two segments of the log, whose absence PGlite does not survive. */
const reserve = 32 * 1_048_576
const megabyte = 1_048_576
/** A look at the disk is good for so many milliseconds: in that time no more than the reserve is written. */
const lookLives = 50

/** Throws DatabaseError 53100 when the disk under `folder` has less than `needed` bytes left. */
export async function requireRoom(folder: string, needed = reserve): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  if (free >= needed) return
  throw new DatabaseError(
    `The disk that holds ${folder} is full: ${Math.floor(free / megabyte)} MB are free, ${Math.ceil(needed / megabyte)} MB are needed. Make room there.`,
    '53100',
  )
}

/** What only reads; all else may write. */
const reading = /^\s*(?:select|show|explain|begin|commit|rollback|savepoint|release)\b/iu

/** Whether PGlite is beyond use: the database inside has given up, or the program around it. */
function isFatal(error: unknown): boolean {
  if (!(error instanceof Error)) return true
  if (error instanceof WebAssembly.RuntimeError) return true
  return 'severity' in error && (error.severity === 'PANIC' || error.severity === 'FATAL')
}

/** Puts `guard` in front of a method that answers a promise, and `failed` behind its failures. */
function wrap(owner: object, name: string, guard: (first: unknown) => Promise<void>, failed: (error: unknown) => void) {
  const method: unknown = Reflect.get(owner, name)
  if (typeof method !== 'function') throw new TypeError(`There is no method ${name}`)
  Reflect.set(owner, name, async (...given: unknown[]): Promise<unknown> => {
    await guard(given[0])
    try {
      return await Reflect.apply(method, owner, given)
    } catch (error) {
      failed(error)
      throw error
    }
  })
}

/** Calls `guard` before each message that the database gets. */
export function guardStatements(client: PGlite, guard: () => void): void {
  for (const name of ['execProtocol', 'execProtocolStream']) {
    wrap(
      client,
      name,
      async () => guard(),
      () => undefined,
    )
  }
}

/**
 * Keeps PGlite from its death on a full disk: without room for its log it panics, and the next call then
 * blocks the whole process for ever. So writes are refused (53100) while less than a reserve is free, and
 * reads go on; and should it panic all the same, every further call fails at once (57P03) until a restart.
 */
export function guardAgainstFullDisk(client: PGlite, folder: string): void {
  let dead = false
  const refuseDead = async () => {
    if (dead)
      throw new DatabaseError(`The database in ${folder} has failed. Make room on its disk, then start again.`, '57P03')
  }
  const noteDeath = (error: unknown) => {
    dead ||= isFatal(error)
  }
  wrap(client, 'execProtocol', refuseDead, noteDeath)
  wrap(client, 'execProtocolStream', refuseDead, noteDeath)
  let lookedAt = Number.NEGATIVE_INFINITY
  const refuseWrites = async (statement: unknown) => {
    if (typeof statement === 'string' && reading.test(statement)) return
    if (performance.now() - lookedAt < lookLives) return
    await requireRoom(folder)
    lookedAt = performance.now()
  }
  for (const name of ['query', 'exec', 'transaction']) wrap(client, name, refuseWrites, () => undefined)
}
