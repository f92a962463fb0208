import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs'
import { link, open, readFile, readlink, rename, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'

/** `startedAt` tells a process from a later one with the same pid; empty where the system does not say. */
export type ProcessStatus = { startedAt: string; isZombie: boolean }

/** Linux: the kernel's own file. Null where there is no such process, or no /proc. */
async function readProc(pid: number): Promise<ProcessStatus | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  if (stat === null) return null
  // The name before the last parenthesis may hold anything. Fields 3 and 22 of proc_pid_stat(5).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return { startedAt: fields[19] ?? '', isZombie: fields[0] === 'Z' || fields[0] === 'X' }
}

/** macOS and others without /proc. Null where ps knows no such process. */
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

/** Where a pid means something: one boot of one machine, and one pid namespace of it. No spaces. */
export async function readProcessSpace(): Promise<string> {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '')
  return [encodeURIComponent(hostname()), boot.trim(), namespace].join('/')
}

export async function readOwnStart(): Promise<string> {
  return (await readProcess(process.pid))?.startedAt ?? ''
}

/** Whether the process with this pid and start runs here. One that is dead but not yet reaped does not. */
export async function isRunning(pid: number, startedAt: string): Promise<boolean> {
  // A lock that a power cut emptied names nobody; and signal 0 to process 0 would ask our own group.
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

/** Thrown when a living process holds the folder. `pid` is that process, in its own container or machine. */
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

export type FolderLock = {
  /** To be called when closing begins: a process that wants the folder then waits instead of giving up. */
  announceClose: () => void
  /** Ends this process at once when the lock may have been taken over while it was paused; else returns. */
  ensureHeld: () => void
  release: () => Promise<void>
}

/** In milliseconds. Tests shorten them; on one folder they are the same for everybody. */
export type LockTiming = {
  /** How often a holder beats. */
  beat: number
  /** A holder elsewhere that has not beaten for so long is dead. */
  silence: number
  /** How long to wait for a holder that is closing, or may be dead. */
  wait: number
}

const usualTiming: LockTiming = { beat: 3_000, silence: 30_000, wait: 35_000 }

/*
 * The lock is one line: pid, start of the process, token, process space, state and beat. The first two alone are
 * what older versions wrote, and still read. A line never changes its length, so that it can be overwritten in place.
 */
type Holder = { line: string; pid: number; startedAt: string; token: string; space: string; state: string }

function parseHolder(line: string): Holder {
  const [pid, startedAt = '', token = '', space = '', state = ''] = line.trim().split(' ')
  return { line, pid: Number(pid), startedAt: startedAt === '-' ? '' : startedAt, token, space, state }
}

async function readHolder(path: string): Promise<Holder | null> {
  const line = await readFile(path, 'utf8').catch(() => null)
  return line === null ? null : parseHolder(line)
}

function endLine(begin: string, state: 'running' | 'closing', beats: number): string {
  return `${begin} ${state} ${String(beats).padStart(10, '0')}\n`
}

function describePlace(holder: Holder, space: string): string {
  if (holder.space === '' || holder.space === space) return ''
  return ` of another container or machine (${decodeURIComponent(holder.space.split('/')[0] ?? '')})`
}

/** Written through to the disk: a lock that a power cut empties would name nobody. */
async function writeThrough(path: string, line: string): Promise<void> {
  const file = await open(path, 'wx')
  try {
    await file.writeFile(line)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Whether the lock is ours now; false when somebody's stands there. Throws where links cannot be made. */
async function takeLock(mine: string, path: string): Promise<boolean> {
  try {
    await link(mine, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Moves the lock of a dead holder out of the way. */
async function removeDead(path: string, mine: string, dead: Holder): Promise<void> {
  if ((await readHolder(path))?.line !== dead.line) return
  // Renaming is atomic: of two processes that found the same dead holder, one gets nothing to move.
  const grave = `${mine}.dead`
  await rename(path, grave).catch(() => undefined)
  const moved = await readHolder(grave)
  // What was moved may be the lock of a third process that was quicker: it gets it back.
  if (moved && moved.line !== dead.line) await link(grave, path).catch(() => undefined)
  await rm(grave, { force: true })
}

/** Resolves after a moment; throws FolderLockedError when this process is asked to end meanwhile. */
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
 * Returns once the lock is free or its holder dead, having removed it. In the holder's own process space its pid
 * decides. From elsewhere pids say nothing, and clocks may differ: a holder lives while its line changes, read
 * by opening the file, because NFS shows a file's times up to a minute late.
 */
async function waitForHolder(folder: string, path: string, mine: string, space: string, timing: LockTiming) {
  const begun = performance.now()
  let seen: { line: string; at: number } | undefined
  let isTold = false
  for (;;) {
    const holder = await readHolder(path)
    if (holder === null) return
    const now = performance.now()
    const isLocal = holder.space === '' || holder.space === space
    const hasBeaten = seen !== undefined && seen.line !== holder.line
    if (seen?.line !== holder.line) seen = { line: holder.line, at: now }
    const isDead = isLocal ? !(await isRunning(holder.pid, holder.startedAt)) : now - seen.at >= timing.silence
    if (isDead) return removeDead(path, mine, holder)
    const refusal = new FolderLockedError(folder, holder.pid, describePlace(holder, space))
    const isWorthWaiting = holder.state === 'closing' || !(isLocal || hasBeaten)
    if (!isWorthWaiting || now - begun >= timing.wait) throw refusal
    if (!isTold) process.stderr.write(`${describeWait(folder, holder, space, timing)}\n`)
    isTold = true
    await waitOrStop(Math.min(250, timing.beat / 2), refusal)
  }
}

/** Nothing may be written any more, not even to end cleanly: another process has the folder. */
function endAtOnce(folder: string): never {
  try {
    writeSync(2, `Another process took over ${folder} while this one was paused: this one ends.\n`)
  } catch {
    // Nobody reads it.
  }
  process.kill(process.pid, 'SIGKILL')
  // Process 1 of a container cannot kill itself.
  process.exit(1)
}

/** Proves that the lock is still ours and writes the next line into it; answers whether to go on. */
function beat(folder: string, path: string, own: { token: string; line: string }): 'done' | 'failed' | 'deleted' {
  let file: number | undefined
  try {
    // One descriptor for both: what is written to is what was read.
    file = openSync(path, 'r+')
    if (parseHolder(readFileSync(file, 'utf8')).token !== own.token) endAtOnce(folder)
    writeSync(file, own.line, 0)
    return 'done'
  } catch (error) {
    // A full disk or too many open files robs nobody: the next beat tries again.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return 'failed'
    if (existsSync(folder)) endAtOnce(folder)
    return 'deleted'
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

function keepLock(folder: string, path: string, own: { token: string; begin: string }, timing: LockTiming): FolderLock {
  let state: 'running' | 'closing' = 'running'
  let beats = 0
  let confirmed = { monotonic: performance.now(), wall: Date.now() }
  const beatNow = () => {
    beats += 1
    const outcome = beat(folder, path, { token: own.token, line: endLine(own.begin, state, beats) })
    if (outcome === 'done') confirmed = { monotonic: performance.now(), wall: Date.now() }
    // The folder was deleted with everything in it: there is nothing to hold.
    if (outcome === 'deleted') clearInterval(timer)
  }
  const timer = setInterval(beatNow, timing.beat).unref()
  return {
    announceClose: () => {
      state = 'closing'
      beatNow()
    },
    ensureHeld: () => {
      // The monotonic clock may stand still while a machine sleeps.
      const age = Math.max(performance.now() - confirmed.monotonic, Date.now() - confirmed.wall)
      if (age <= timing.silence / 2) return
      const before = confirmed
      beatNow()
      // Nobody can say any more that the folder is ours: another process may take it from now on.
      if (confirmed === before && age > timing.silence - timing.beat) endAtOnce(folder)
    },
    release: async () => {
      clearInterval(timer)
      if ((await readHolder(path))?.token === own.token) await rm(path, { force: true })
    },
  }
}

/**
 * Takes the exclusive lock of a database folder. PGlite takes no lock of its own, and a second process on its folder
 * loses acknowledged rows in silence. A lock left by a dead process is replaced, at once when it ran in this process
 * space, else after 30 s without a beat; a living holder is never robbed. One that is closing is waited for, up to 35 s.
 * Throws FolderLockedError.
 */
export async function lockFolder(folder: string, timing = usualTiming): Promise<FolderLock> {
  const path = join(folder, 'debitdesk.lock')
  const token = randomUUID()
  const mine = `${path}.${token}`
  const space = await readProcessSpace()
  const begin = [process.pid, (await readOwnStart()) || '-', token, space].join(' ')
  await writeThrough(mine, endLine(begin, 'running', 0))
  try {
    while (!(await takeLock(mine, path))) await waitForHolder(folder, path, mine, space, timing)
    return keepLock(folder, path, { token, begin }, timing)
  } finally {
    await rm(mine, { force: true })
  }
}
