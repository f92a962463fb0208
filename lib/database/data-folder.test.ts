import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { closeDataFolder } from './data-folder'

let parent: string
let folder: string

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'debitdesk-data-'))
  folder = join(parent, 'data')
})
afterEach(() => rmSync(parent, { recursive: true, force: true }))

const modeOf = (path: string) => statSync(path).mode & 0o7777

/** The files in a folder that other users could read or write. */
function listOpen(path: string): string[] {
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((one) => (statSync(one).mode & 0o077) !== 0)
}

/** A data folder of an earlier version, with all files readable by others. */
function makeOpenFolder(): void {
  mkdirSync(join(folder, 'desk', 'pglite'), { recursive: true })
  mkdirSync(join(folder, 'logs'))
  writeFileSync(join(folder, 'desk', 'pglite', '16384'), '$argon2id$')
  writeFileSync(join(folder, 'logs', 'desk.log'), '')
  for (const path of [folder, ...readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)))])
    chmodSync(path, 0o777)
}

describe('a data folder', () => {
  it('is made for its owner alone', () => {
    closeDataFolder(folder)
    expect(modeOf(folder)).toBe(0o700)
  })

  it('that exists and is open is closed, with what we made in it', () => {
    makeOpenFolder()
    closeDataFolder(folder)
    expect(modeOf(folder)).toBe(0o700)
    expect(listOpen(folder)).toEqual([])
  })

  it('is closed below even where only its top was', () => {
    makeOpenFolder()
    chmodSync(folder, 0o700)
    closeDataFolder(folder)
    expect(listOpen(folder)).toEqual([])
  })

  it('never reaches outside through a link', () => {
    makeOpenFolder()
    const outside = join(parent, 'outside')
    writeFileSync(outside, '')
    chmodSync(outside, 0o644)
    symlinkSync(outside, join(folder, 'desk', 'link'))
    closeDataFolder(folder)
    expect(modeOf(outside)).toBe(0o644)
  })

  it.each([
    [
      'other things',
      0o755,
      /^DATA_DIR \S+ is open to other users of this machine \(mode 0755\) and holds other things/u,
    ],
    ['a shared folder', 0o1777, /\(mode 1777\) and made to be shared: make it 0700, or name a folder/u],
  ])('with %s is refused in one line, and left as it is', (_, mode, line) => {
    makeOpenFolder()
    writeFileSync(join(folder, 'thesis.txt'), '')
    chmodSync(folder, mode)
    expect(() => closeDataFolder(folder)).toThrow(line)
    expect(modeOf(folder)).toBe(mode)
  })

  it('that others may enter and whose mode we may not change is refused', async () => {
    // /proc belongs to the kernel on Linux, / to root elsewhere: either way its mode stays.
    const env = { ...process.env, DATA_DIR: process.platform === 'linux' ? '/proc/self/task' : '/' }
    const program = ['scripts/run-program.mjs', 'lib/server/team/run-user-command.ts']
    const args = [...program, 'add', 'ann@shop.example', '--role', 'admin']
    const child = spawn(process.execPath, args, { env: { ...env, DATABASE_URL: '' } })
    let said = ''
    child.stderr.on('data', (chunk) => (said += chunk))
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(1)
    expect(said).toMatch(
      /^DATA_DIR \S+ is open to other users .*: make it 0700, or name a folder of the desk's own\.\n$/u,
    )
  })
})

describe('a program of ours', () => {
  it('makes nothing that others can read, whatever the umask it was started under', async () => {
    // Node inherits its parent's umask: a shell sets the most permissive one.
    const command = 'umask 000; exec "$0" scripts/run-program.mjs lib/server/team/run-user-command.ts "$@"'
    const args = ['-c', command, process.execPath, 'add', 'ann@shop.example', '--role', 'admin']
    const child = spawn('/bin/sh', args, { env: { ...process.env, DATA_DIR: folder, DATABASE_URL: '' } })
    let said = ''
    child.stdout.on('data', (chunk) => (said += chunk))
    child.stdin.end('moss-covered lantern\n')
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0)
    // Nobody has used the folder yet.
    expect(said).toBe('ann@shop.example may sign in as admin.\n')
    expect(readdirSync(join(folder, 'desk', 'pglite')).length).toBeGreaterThan(10)
    expect(listOpen(folder)).toEqual([])
    expect(modeOf(folder)).toBe(0o700)
  })
})
