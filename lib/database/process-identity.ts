import { execFile } from 'node:child_process'
import { readFile, readlink } from 'node:fs/promises'
import { hostname } from 'node:os'
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
