import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs'
import { link, open, readFile, readlink, rename, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { nullIfMissing } from './errors'

/** `startedAt` tells a process from a later one with the same pid; empty if the system doesn't report it. */
export type ProcessStatus = { startedAt: string; isZombie: boolean }

/** On Linux, from the kernel. Null without such a process, or without /proc. */
async function readProc(pid: number): Promise<ProcessStatus | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  if (stat === null) return null
  // The name, up to the last parenthesis, may contain anything. Fields 3 and 22 of proc_pid_stat(5).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return { startedAt: fields[19] ?? '', isZombie: fields[0] === 'Z' || fields[0] === 'X' }
}

/** On macOS and other systems without /proc. Null when ps knows no such process. */
export async function readPs(pid: number): Promise<ProcessStatus | null> {
  const env = { PATH: process.env.PATH ?? '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC', NODE_ENV: 'production' as const }
  const columns = ['-o', 'stat=', '-o', 'lstart=', '-p', String(pid)]
  const output = await promisify(execFile)('ps', columns, { env }).catch(() => null)
  const [, state, startedAt] = /^\s*(\S+)\s+(.+?)\s*$/u.exec(output?.stdout ?? '') ?? []
  if (state === undefined || startedAt === undefined) return null
  return { startedAt: startedAt.replaceAll(/\s+/gu, '_'), isZombie: state.startsWith('Z') }
}

async function readProcess(pid: number): Promise<ProcessStatus | null> {
  return (await readProc(pid)) ?? (process.platform === 'linux' ? null : await readPs(pid))
}

/** The scope in which pids are unique: a boot of a machine and a pid namespace. Contains no spaces. */
export async function readProcessSpace(): Promise<string> {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '')
  return [encodeURIComponent(hostname()), boot.trim(), namespace].join('/')
}

export async function readOwnStart(): Promise<string> {
  return (await readProcess(process.pid))?.startedAt ?? ''
}

/** Whether the process with this pid and start time runs here. Zombies don't. */
export async function isRunning(pid: number, startedAt: string): Promise<boolean> {
  // A lock emptied by a power cut has no pid; and signal 0 to process 0 would address our own group.
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  const status = await readProcess(pid)
  if (status?.isZombie) return false
  return !status || startedAt === '' || status.startedAt === '' || status.startedAt === startedAt
}

/** A running process holds the folder. `pid` is valid in that process's container or machine. */
export class FolderLockedError extends Error {
  constructor(
    readonly folder: string,
    readonly pid: number,
    where = '',
  ) {
    super(
      `${folder} is in use by process ${pid}${where}. Stop it first: two processes on one database folder lose data.`,
    )
    this.name = 'FolderLockedError'
  }
}

/** In a folder that is locked, made by the process that holds it. */
export const lockFile = 'debitdesk.lock'

export type FolderLock = {
  /** Call when closing begins: a process that wants the folder then waits instead of giving up. */
  announceClose: () => void
  /** Ends this process at once if the lock may have been taken over while it was paused. */
  ensureHeld: () => void
  release: () => Promise<void>
}

/** In milliseconds; the same for all processes on a folder. Tests shorten them. */
export type LockTiming = {
  /** Interval of the holder's heartbeats. */
  beat: number
  /** A remote holder without a heartbeat for this long is considered dead. */
  silence: number
  /** How long to wait for a holder that is closing or may be dead. */
  wait: number
}

const defaultTiming: LockTiming = { beat: 3_000, silence: 30_000, wait: 35_000 }

/*
 * The lock file has one line: pid, start time, token, process space, state and heartbeat count. Older versions wrote only
 * the first two, which is still accepted. A process's line has a constant length, so that it can be overwritten in place.
 */
type Holder = { line: string; pid: number; startedAt: string; token: string; space: string; state: string }

function parseHolder(line: string): Holder {
  const [pid, startedAt = '', token = '', space = '', state = ''] = line.trim().split(' ')
  return { line, pid: Number(pid), startedAt: startedAt === '-' ? '' : startedAt, token, space, state }
}

/** Null without a lock. Throws DatabaseError when there is one that cannot be read. */
async function readHolder(path: string): Promise<Holder | null> {
  const line = await readFile(path, 'utf8').catch(nullIfMissing(path))
  return line === null ? null : parseHolder(line)
}

function formatLine(begin: string, state: 'running' | 'closing', beats: number): string {
  return `${begin} ${state} ${String(beats).padStart(10, '0')}\n`
}

function describePlace(holder: Holder, space: string): string {
  if (holder.space === '' || holder.space === space) return ''
  return ` of another container or machine (${decodeURIComponent(holder.space.split('/')[0] ?? '')})`
}

/** Writes and syncs the file: a lock emptied by a power cut would have no holder. */
async function writeSynced(path: string, line: string): Promise<void> {
  const file = await open(path, 'wx')
  try {
    await file.writeFile(line)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Creates the lock; false when another one exists. Throws where hard links are not supported. */
async function tryLock(mine: string, path: string): Promise<boolean> {
  try {
    await link(mine, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Removes the lock of a dead holder. */
async function removeDead(path: string, mine: string, dead: Holder): Promise<void> {
  if ((await readHolder(path))?.line !== dead.line) return
  // Renaming is atomic: of two processes that found the same dead holder, only one moves the lock.
  const removed = `${mine}.dead`
  await rename(path, removed).catch(() => undefined)
  const moved = await readHolder(removed)
  // A third process may have replaced the lock meanwhile: its lock is restored.
  if (moved && moved.line !== dead.line) await link(removed, path).catch(() => undefined)
  await rm(removed, { force: true })
}

/** Waits; throws FolderLockedError when this process is asked to end meanwhile. */
async function waitOrStop(milliseconds: number, refusal: FolderLockedError): Promise<void> {
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
  try {
    await pause(milliseconds, undefined, { signal: stopping.signal })
  } catch {
    throw refusal
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop)
  }
}

function describeWait(folder: string, holder: Holder, space: string, { wait }: LockTiming): string {
  const what = holder.state === 'closing' ? 'which is ending' : 'which may have died'
  return `Waiting for process ${holder.pid}${describePlace(holder, space)}, ${what}, to give up ${folder} (up to ${Math.round(wait / 1_000)} s).`
}

/**
 * Returns once the lock is free or its holder dead, having removed it. In the holder's process space its pid decides.
 * Elsewhere pids are meaningless and clocks may differ: a holder lives while its line changes. The file is read each
 * time, because NFS reports modification times up to a minute late.
 */
async function waitForHolder(folder: string, path: string, mine: string, space: string, timing: LockTiming) {
  const began = performance.now()
  let seen: { line: string; at: number } | undefined
  let isAnnounced = false
  for (;;) {
    const holder = await readHolder(path)
    if (holder === null) return
    const now = performance.now()
    const isLocal = holder.space === '' || holder.space === space
    const isAlive = seen !== undefined && seen.line !== holder.line
    if (seen?.line !== holder.line) seen = { line: holder.line, at: now }
    const isDead = isLocal ? !(await isRunning(holder.pid, holder.startedAt)) : now - seen.at >= timing.silence
    if (isDead) return removeDead(path, mine, holder)
    const refusal = new FolderLockedError(folder, holder.pid, describePlace(holder, space))
    const isWorthWaiting = holder.state === 'closing' || !(isLocal || isAlive)
    if (!isWorthWaiting || now - began >= timing.wait) throw refusal
    if (!isAnnounced) process.stderr.write(`${describeWait(folder, holder, space, timing)}\n`)
    isAnnounced = true
    await waitOrStop(Math.min(250, timing.beat / 2), refusal)
  }
}

/** Kills this process without any further write, not even to end cleanly: another process owns the folder. */
function killSelf(folder: string): never {
  try {
    writeSync(2, `Another process took over ${folder} while this one was paused: this one ends.\n`)
  } catch {
    // Standard error may be closed.
  }
  process.kill(process.pid, 'SIGKILL')
  // Process 1 of a container cannot kill itself.
  process.exit(1)
}

/** Verifies that the lock is still ours and writes the next line into it. */
function writeBeat(folder: string, path: string, own: { token: string; line: string }): 'done' | 'failed' | 'deleted' {
  let file: number | undefined
  try {
    // A single descriptor ensures that the file written is the one that was read.
    file = openSync(path, 'r+')
    if (parseHolder(readFileSync(file, 'utf8')).token !== own.token) killSelf(folder)
    writeSync(file, own.line, 0)
    return 'done'
  } catch (error) {
    // A full disk or too many open files don't lose the lock: the next beat tries again.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return 'failed'
    if (existsSync(folder)) killSelf(folder)
    return 'deleted'
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

function holdLock(folder: string, path: string, own: { token: string; begin: string }, timing: LockTiming): FolderLock {
  let state: 'running' | 'closing' = 'running'
  let beats = 0
  let confirmed = { monotonic: performance.now(), wall: Date.now() }
  const beatNow = () => {
    beats += 1
    const outcome = writeBeat(folder, path, { token: own.token, line: formatLine(own.begin, state, beats) })
    if (outcome === 'done') confirmed = { monotonic: performance.now(), wall: Date.now() }
    // The folder was deleted with its contents, so there is no lock to hold.
    if (outcome === 'deleted') clearInterval(timer)
  }
  const timer = setInterval(beatNow, timing.beat).unref()
  return {
    announceClose: () => {
      state = 'closing'
      beatNow()
    },
    ensureHeld: () => {
      // The monotonic clock may stand still while the machine is suspended.
      const age = Math.max(performance.now() - confirmed.monotonic, Date.now() - confirmed.wall)
      if (age <= timing.silence / 2) return
      const before = confirmed
      beatNow()
      // The lock cannot be confirmed, and another process may take it from now on.
      if (confirmed === before && age > timing.silence - timing.beat) killSelf(folder)
    },
    release: async () => {
      clearInterval(timer)
      const holder = await readHolder(path).catch(() => null)
      if (holder?.token === own.token) await rm(path, { force: true })
    },
  }
}

/**
 * Takes the exclusive lock of a database folder: PGlite has none, and a second process on its folder silently loses
 * acknowledged rows. The lock of a dead process is replaced, at once if it ran in this process space, else after 30 s
 * without a heartbeat; that of a running process never. Waits up to 35 s for a holder that is closing. Throws
 * FolderLockedError, and DatabaseError when the lock that is there cannot be read.
 */
export async function lockFolder(folder: string, timing = defaultTiming): Promise<FolderLock> {
  const path = join(folder, lockFile)
  const token = randomUUID()
  const mine = `${path}.${token}`
  const space = await readProcessSpace()
  const prefix = [process.pid, (await readOwnStart()) || '-', token, space].join(' ')
  await writeSynced(mine, formatLine(prefix, 'running', 0))
  try {
    while (!(await tryLock(mine, path))) await waitForHolder(folder, path, mine, space, timing)
    return holdLock(folder, path, { token, begin: prefix }, timing)
  } finally {
    await rm(mine, { force: true })
  }
}
