import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, readdir, rm } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { measureFolder } from '@/lib/database/copy-folder'
import { DatabaseError } from '@/lib/database/errors'
import type { OpenDatabase } from '@/lib/database/database'
import { describeError, log } from '../runtime/log'
import { BackupError } from './manifest'

/*
 * How `npm run backup` gets a copy of a PGlite that the dashboard has open: a socket in the store's folder, which only its
 * owner can enter. Whoever connects gets one line with the name of a copy, made for them in that folder and deleted when
 * they leave. Nothing is read from them.
 */

const SOCKET_FILE = 'backup.sock'
const copyName = /^\.copy-[\da-f-]{36}$/u
export const STOPPED = 'The dashboard stopped meanwhile. Try again.'
/** What sockaddr_un holds on macOS; Linux holds four more. */
const MAX_PATH_BYTES = 103

/** `bytes` is the copy's size: once the dashboard stops, it is deleted under whoever reads it. */
type Reply = { copy: string; bytes: number } | { problem: string }

/** The shorter way to the socket, or null where it is too long for one. */
function findSocketPath(folder: string): string | null {
  const path = join(folder, SOCKET_FILE)
  const [shortest = path] = [path, relative(process.cwd(), path)].toSorted((one, other) => one.length - other.length)
  return process.platform === 'win32' || Buffer.byteLength(shortest) > MAX_PATH_BYTES ? null : shortest
}

async function deleteCopies(folder: string): Promise<void> {
  const names = await readdir(folder)
  for (const name of names.filter((one) => copyName.test(one)))
    await rm(join(folder, name), { recursive: true, force: true })
}

type CopyFiles = NonNullable<OpenDatabase['copyFiles']>

/** Answers the requests for copies of the store in `folder`. */
class CopyServer {
  readonly #folder: string
  readonly #copyFiles: CopyFiles
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  /** One after the other: each takes disk space and makes statements wait. */
  #last: Promise<void> = Promise.resolve()

  constructor(folder: string, copyFiles: CopyFiles) {
    this.#folder = folder
    this.#copyFiles = copyFiles
    this.#server = createServer((socket) => {
      this.#sockets.add(socket)
      socket.on('error', () => undefined)
      socket.resume()
      this.#last = this.#last.then(() => this.#serve(socket))
    })
  }

  async listen(path: string): Promise<void> {
    await rm(path, { force: true })
    this.#server.listen(path)
    await once(this.#server, 'listening')
    // Without a listener, somebody who could not be accepted would end the dashboard.
    this.#server.on('error', (error) => log.error({ event: 'store-not-copied', error: describeError(error) }))
    this.#server.unref()
    await chmod(path, 0o600)
  }

  async #serve(socket: Socket): Promise<void> {
    const name = `.copy-${randomUUID()}`
    const copy = join(this.#folder, name)
    const left = socket.destroyed ? Promise.resolve() : once(socket, 'close').catch(() => undefined)
    try {
      if (!socket.destroyed) {
        await this.#copyFiles(copy)
        this.#reply(socket, { copy: name, bytes: await measureFolder(copy) })
      }
      await left
    } catch (error) {
      log.error({ event: 'store-not-copied', error: describeError(error) })
      const problem = error instanceof DatabaseError ? error.message : 'The store could not be copied: see the log.'
      this.#reply(socket, { problem })
      socket.end()
    } finally {
      this.#sockets.delete(socket)
      await rm(copy, { recursive: true, force: true }).catch(() => undefined)
    }
  }

  #reply(socket: Socket, reply: Reply): void {
    if (!socket.destroyed) socket.write(`${JSON.stringify(reply)}\n`)
  }

  /** Copies that are being read end here. */
  async close(): Promise<void> {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    await this.#last
  }
}

declare global {
  /** Global because Next loads this module once per module graph. */
  var debitdeskCopies: CopyServer | undefined
}

/** Lets `npm run backup` copy the store in `folder` while the dashboard runs. Without a socket it needs a stop; the log says so. */
export async function startCopies(folder: string, copyFiles: CopyFiles): Promise<void> {
  if (globalThis.debitdeskCopies) return
  const path = findSocketPath(folder)
  const server = new CopyServer(folder, copyFiles)
  try {
    await deleteCopies(folder)
    if (path === null) throw new Error('the path of DATA_DIR is too long for a socket')
    await server.listen(path)
    globalThis.debitdeskCopies = server
  } catch (error) {
    log.warn({ event: 'backup-needs-a-stop', error: describeError(error) }, 'npm run backup works while stopped only')
  }
}

/** Call it before the store closes. */
export async function stopCopies(): Promise<void> {
  await globalThis.debitdeskCopies?.close()
  globalThis.debitdeskCopies = undefined
}

function parseReply(line: string): Reply {
  const reply: unknown = JSON.parse(line)
  const record: Record<string, unknown> = Object(reply)
  const { copy, bytes } = record
  if (typeof copy === 'string' && copyName.test(copy) && typeof bytes === 'number') return { copy, bytes }
  return { problem: typeof record.problem === 'string' ? record.problem : 'The dashboard gave no copy.' }
}

/**
 * Runs `work` with a copy of the files of the store in `folder`, made by the dashboard that has it open, and its size in
 * bytes. Throws BackupError when there is no such dashboard, or it makes no copy.
 */
export async function withRunningCopy<Result>(
  folder: string,
  work: (copy: string, bytes: number) => Promise<Result>,
  interruption?: AbortSignal,
): Promise<Result> {
  const path = findSocketPath(folder)
  if (path === null || !existsSync(path))
    throw new BackupError(`The dashboard on ${folder} gives no copies while it runs. Stop it first, then back up.`)
  const socket = connect(path)
  // Somebody else's backup may take long.
  interruption?.addEventListener('abort', () => socket.destroy(), { once: true })
  try {
    await once(socket, 'connect').catch(() => {
      throw new BackupError(`The dashboard on ${folder} doesn't answer. Stop it first, then back up.`)
    })
    let line: string | undefined
    for await (const one of createInterface({ input: socket })) {
      line = one
      break
    }
    interruption?.throwIfAborted()
    const reply = line === undefined ? { problem: STOPPED } : parseReply(line)
    if ('problem' in reply) throw new BackupError(reply.problem)
    return await work(join(folder, reply.copy), reply.bytes)
  } finally {
    socket.destroy()
  }
}
