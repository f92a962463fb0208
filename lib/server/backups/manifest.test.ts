import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { copyVerified, listContents, type Manifest } from './manifest'

/** Mounting a small disk needs root, and one in memory needs Linux. */
const canMount = process.getuid?.() === 0 && process.platform === 'linux'

let root: string
let backup: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'manifest-'))
  backup = join(root, 'backup')
  await mkdir(backup)
})
afterEach(() => rm(root, { recursive: true, force: true }))

async function describeBackup(): Promise<Manifest> {
  const activity = { sequence: 0, hash: '' }
  return {
    format: 1,
    kind: 'pglite',
    at: new Date().toISOString(),
    schema: 1,
    activity,
    ...(await listContents(backup)),
  }
}

it('a file that cannot be read is not told as missing or damaged', async () => {
  await writeFile(join(backup, 'one'), 'one')
  const manifest = await describeBackup()
  await rm(join(backup, 'one'))
  await symlink('one', join(backup, 'one'))
  await expect(copyVerified(backup, manifest, join(root, 'to'))).rejects.toThrow(
    'one of the backup could not be copied (ELOOP).',
  )
})

it.skipIf(!canMount)('a disk without room for the backup is named before anything is copied', async () => {
  await writeFile(join(backup, 'one'), '')
  await truncate(join(backup, 'one'), 48 * 1_048_576)
  const manifest = await describeBackup()
  const disk = join(root, 'disk')
  await mkdir(disk)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=40m', 'tmpfs', disk])
  try {
    const copying = copyVerified(backup, manifest, join(disk, 'to'))
    await expect(copying).rejects.toThrow(/has too little room: \d+ MB are free, \d+ MB are needed/u)
    expect(await readdir(join(disk, 'to'))).toEqual([])
  } finally {
    execFileSync('umount', ['-l', disk])
  }
})
