import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isRunning, lockFolder, readPs } from './folder-lock'

const hold = ['scripts/run-program.mjs', 'lib/database/testing/hold-folder.ts']
const timing = { beat: 100, silence: 1_500, wait: 4_000 }
const timings = Object.values(timing).map(String)
const newNamespace = ['--pid', '--fork', '--mount-proc', '--kill-child']

const noNamespaces = spawnSync('unshare', [...newNamespace, 'true']).status !== 0
if (noNamespaces) console.log('Skipped: locks across pid namespaces. This user may not make one (unshare --pid).')

let folder: string
let path: string
let children: ChildProcess[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'folder-lock-'))
  path = join(folder, 'debitdesk.lock')
})
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  for (const child of children) if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  children = []
  await rm(folder, { recursive: true, force: true })
})

/** Rejects naming what it waited for and what is known so far. */
async function until(what: () => string, isDone: () => boolean): Promise<void> {
  for (const end = performance.now() + 60_000; !isDone(); await pause(20)) {
    if (performance.now() > end) throw new Error(`Waited for ${what()}`)
  }
}

type Started = { child: ChildProcess; output: () => string; saw: (text: string) => Promise<void> }

/** Starts a process that takes the lock; with `isElsewhere` in its own pid namespace, as in another container. */
function start(isElsewhere = false): Started {
  const command = [process.execPath, ...hold, folder, ...timings]
  const [program = '', ...args] = isElsewhere ? ['unshare', ...newNamespace, ...command] : command
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] })
  children.push(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)))
  const saw = (text: string) =>
    until(
      () => `"${text}" in: ${output}`,
      () => output.includes(text),
    )
  return { child, output: () => output, saw }
}

/** The pid, as seen from here, of the process that holds the lock in a namespace. */
function findInner({ child }: Started): number {
  return Number(execFileSync('ps', ['-o', 'pid=', '--ppid', String(child.pid)], { encoding: 'utf8' }))
}

describe('where the holder ran in the same process space', () => {
  it('refuses at once while it lives, also when it is stopped, and names it', async () => {
    const holder = start()
    await holder.saw('held')
    holder.child.kill('SIGSTOP')
    await pause(timing.silence * 1.5)
    await expect(lockFolder(folder, timing)).rejects.toThrow(`in use by process ${holder.child.pid}.`)
  })

  it('takes over at once when it was killed', async () => {
    const holder = start()
    await holder.saw('held')
    holder.child.kill('SIGKILL')
    await once(holder.child, 'exit')
    // A process waiting for silence never gets here.
    const lock = await lockFolder(folder, { beat: 100, silence: 3_600_000, wait: 3_600_000 })
    await lock.release()
    expect(existsSync(path)).toBe(false)
  })

  it.skipIf(process.platform !== 'linux')('takes a process for dead that nobody has reaped yet', async () => {
    // The shell becomes a sleep, which never reaps the child it inherits.
    const parent = spawn('sh', ['-c', 'sleep 0.1 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] })
    children.push(parent)
    const [line]: unknown[] = await once(parent.stdout, 'data')
    const pid = Number(String(line))
    const readState = () => execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
    await until(
      () => `process ${pid} to be a zombie: ${readState()}`,
      () => readState().startsWith('Z'),
    )
    expect(process.kill(pid, 0)).toBe(true)
    expect(await isRunning(pid, '')).toBe(false)
    expect(await readPs(pid)).toMatchObject({ isZombie: true })
    await writeFile(path, `${pid} \n`)
    await (await lockFolder(folder, timing)).release()
  })

  it('takes a pid that was given to another process since for dead', async () => {
    await writeFile(path, `${process.pid} 1\n`)
    const lock = await lockFolder(folder, timing)
    expect(await readFile(path, 'utf8')).not.toBe(`${process.pid} 1\n`)
    await lock.release()
  })

  it('reads locks of older versions', async () => {
    const stat = await readFile('/proc/self/stat', 'utf8').catch(() => '')
    const startedAt = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
    await writeFile(path, `${process.pid} ${startedAt}\n`)
    await expect(lockFolder(folder, timing)).rejects.toThrow(`in use by process ${process.pid}.`)
    await writeFile(path, '')
    await (await lockFolder(folder, timing)).release()
  })

  it('waits for one that is closing, and says so', async () => {
    const holder = start()
    await holder.saw('held')
    holder.child.stdin?.write('close\n')
    await until(
      () => 'the lock to say that its holder is closing',
      () => execFileSync('cat', [path], { encoding: 'utf8' }).includes(' closing '),
    )
    const next = start()
    await next.saw(`Waiting for process ${holder.child.pid}, which is ending, to give up ${folder} (up to 4 s).`)
    holder.child.stdin?.write('release\n')
    await next.saw('held')
    const late = start()
    next.child.stdin?.write('close\n')
    await late.saw('refused: ')
    expect(late.output()).toContain(`in use by process ${next.child.pid}.`)
  })

  it('reads from ps, where there is no /proc, what tells a process from a later one', async () => {
    const own = await readPs(process.pid)
    expect(own).toMatchObject({ isZombie: false })
    expect(own?.startedAt).toMatch(/^\S+$/u)
    expect(await readPs(process.pid)).toEqual(own)
    expect(await readPs(2 ** 22 + 1)).toBeNull()
  })
})

describe.skipIf(noNamespaces)('where the holder ran in another pid namespace, as in another container', () => {
  it('refuses while it beats', async () => {
    const holder = start(true)
    await holder.saw('held')
    const other = start(true)
    await other.saw('refused: ')
    expect(other.output()).toContain('in use by process 1 of another container or machine')
    expect(await lockFolder(folder, timing).catch(String)).toContain('in use by process 1 of another container')
  })

  it('takes over once it was silent for long enough', async () => {
    const holder = start(true)
    await holder.saw('held')
    process.kill(findInner(holder), 'SIGKILL')
    await once(holder.child, 'exit')
    // Not in its own namespace, where it might get the pid of the process that just ended.
    const next = start()
    await next.saw('held')
    expect(next.output()).toContain('which may have died, to give up')
  })

  it('one that was paused too long ends at once, and leaves the lock of the next one alone', async () => {
    const holder = start(true)
    await holder.saw('held')
    const inner = findInner(holder)
    process.kill(inner, 'SIGSTOP')
    const next = start(true)
    await next.saw('held')
    process.kill(inner, 'SIGCONT')
    await once(holder.child, 'exit')
    expect(holder.output()).toContain('while this one was paused: this one ends.')
    await expect(lockFolder(folder, timing)).rejects.toThrow('in use by process 1 of another container')
    expect(next.child.exitCode).toBeNull()
  })
})

it('a lock that is there and cannot be read refuses the folder by its name', async () => {
  await mkdir(path)
  await expect(lockFolder(folder, timing)).rejects.toThrow(`${path} cannot be read (EISDIR). Nothing was changed.`)
  expect(await readdir(folder)).toEqual(['debitdesk.lock'])
})

it('a lock that was taken away, by whomever, ends its holder', async () => {
  const holder = start()
  await holder.saw('held')
  await rm(path)
  expect(await once(holder.child, 'exit')).toEqual([null, 'SIGKILL'])
})
