import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeMigrations } from './testing/make-migrations'

const program = 'lib/database/testing/write-until-killed.ts'
let root: string
let migrationsFolder: string

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'kill-'))
  migrationsFolder = await makeMigrations(root, [['create table notes (id integer primary key, text text)']])
})
afterAll(() => rm(root, { recursive: true, force: true }))

type Writer = ChildProcessByStdio<Writable, Readable, null>

/** Loads its modules and waits for a line before opening anything. */
const prepare = (folder: string): Writer =>
  spawn(process.execPath, ['scripts/run-program.mjs', program, folder, migrationsFolder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })

/** A time while opening (a killed recovery is recovered again) or while writing. */
type Moment = 'opening' | 'writing'

/** Lets a writer open the database and write, kills it at any time, and returns what it found and what it reported. */
async function runUntilKilled(
  writer: Writer,
  moment: Moment,
): Promise<{ count: number; last: number; told: number } | null> {
  let output = ''
  writer.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  writer.stdin.write('go\n')
  const isThere = () => moment === 'opening' || /^\d+\n/mu.test(output)
  while (!isThere()) {
    if (writer.exitCode !== null) throw new Error(`It ended: ${output}`)
    await pause(5)
  }
  await pause(Math.random() * (moment === 'opening' ? 1_500 : 250))
  writer.kill('SIGKILL')
  await once(writer, 'close')
  const found = /^found (\d+) (\d+)$/mu.exec(output)
  if (!found) return null
  const acknowledged = output.slice(0, output.lastIndexOf('\n')).split('\n')
  const told = acknowledged.at(-1) ?? ''
  return {
    count: Number(found[1]),
    last: Number(found[2]),
    told: told.startsWith('found') ? Number(found[2]) : Number(told),
  }
}

const pieces = Array.from({ length: 20 }, (_, index) => index + 1)

// Split so that parts can be run individually.
it.each(pieces)(
  'opens after each of 50 kills with every acknowledged row, part %i of 20',
  async (part) => {
    const folder = join(root, `part-${part}`)
    let next = prepare(folder)
    let told = 0
    // One in five dies while opening, which the next has to repair too.
    for (let kills = 0; kills < 50; kills += 1) {
      const writer = next
      next = prepare(folder)
      const found = await runUntilKilled(writer, kills % 5 === 4 ? 'opening' : 'writing')
      if (!found) continue
      expect(found.last).toBeGreaterThanOrEqual(told)
      expect(found.count).toBe(found.last)
      told = found.told
    }
    next.kill('SIGKILL')
    expect(told).toBeGreaterThan(50)
  },
  3_600_000,
)
