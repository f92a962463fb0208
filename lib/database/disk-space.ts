import { statfs } from 'node:fs/promises'
import type { PGlite } from '@electric-sql/pglite'
import { DatabaseError } from './errors'

/** Below this nothing is written: two segments of the write-ahead log, which PGlite cannot do without. */
export const RESERVE_BYTES = 32 * 1_048_576
const MEGABYTE = 1_048_576
/** A check is reused this long, in which at most the reserve is written. */
const CHECK_LIFETIME_MS = 50

/** Throws DatabaseError 53100 when the disk under `folder` has less than `needed` bytes left. */
export async function requireRoom(folder: string, needed = RESERVE_BYTES): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  if (free >= needed) return
  throw new DatabaseError(
    `The disk that holds ${folder} has too little room: ${Math.floor(free / MEGABYTE)} MB are free, ${Math.ceil(needed / MEGABYTE)} MB are needed. Make room there.`,
    '53100',
  )
}

/** Statements that only read; all others may write. */
const readStatement = /^\s*(?:select|show|explain|begin|commit|rollback|savepoint|release)\b/iu

/** Whether PGlite is unusable: its database or the WebAssembly program around it has crashed. */
function isFatal(error: unknown): boolean {
  if (!(error instanceof Error)) return true
  if (error instanceof WebAssembly.RuntimeError) return true
  return 'severity' in error && (error.severity === 'PANIC' || error.severity === 'FATAL')
}

/** Wraps an async method: calls `guard` before it and `onError` when it fails. */
function wrap(
  owner: object,
  name: string,
  guard: (first: unknown) => Promise<void>,
  onError: (error: unknown) => void,
) {
  const method: unknown = Reflect.get(owner, name)
  if (typeof method !== 'function') throw new TypeError(`There is no method ${name}`)
  Reflect.set(owner, name, async (...given: unknown[]): Promise<unknown> => {
    await guard(given[0])
    try {
      return await Reflect.apply(method, owner, given)
    } catch (error) {
      onError(error)
      throw error
    }
  })
}

/** Calls `guard` before each message to the database. */
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
 * Protects PGlite from a full disk: without space for its log it panics, and the next call then blocks the process for
 * ever. Writes are refused (53100) while less than a reserve is free; reads go on. If it panics anyway, all further calls
 * fail at once (57P03) until a restart.
 */
export function guardAgainstFullDisk(client: PGlite, folder: string): void {
  let dead = false
  const refuseDead = async () => {
    if (dead)
      throw new DatabaseError(`The database in ${folder} has failed. Make room on its disk, then start again.`, '57P03')
  }
  const recordError = (error: unknown) => {
    dead ||= isFatal(error)
  }
  wrap(client, 'execProtocol', refuseDead, recordError)
  wrap(client, 'execProtocolStream', refuseDead, recordError)
  let checkedAt = Number.NEGATIVE_INFINITY
  const refuseWrites = async (statement: unknown) => {
    if (typeof statement === 'string' && readStatement.test(statement)) return
    if (performance.now() - checkedAt < CHECK_LIFETIME_MS) return
    await requireRoom(folder)
    checkedAt = performance.now()
  }
  for (const name of ['query', 'exec', 'transaction']) wrap(client, name, refuseWrites, () => undefined)
}
