import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bundleProgram } from './bundle-program.mjs'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'debitdesk-reader-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Like Next, reports an uncaught exception on the stream that failed. */
const child = `
  import { appendFileSync } from 'node:fs'
  const note = (line) => appendFileSync(process.argv[2], line + '\\n')
  process.on('uncaughtException', (error) => process.stderr.write('uncaughtException ' + error + '\\n'))
  let isEnding = false
  process.on('SIGTERM', () => {
    if (isEnding) return
    isEnding = true
    note('asked to end')
    setTimeout(() => { note('ended'); process.exit(0) }, 300)
  })
  note(String(process.pid))
  console.log('ready')
  const write = () => process.stdout.write('a line of the log\\n', () => setImmediate(write))
  write()
`

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function waitForEnd(pid: number, notes: () => string[]): Promise<void> {
  // A process in an endless loop handles no other signal.
  for (const end = performance.now() + 20_000; isThere(pid); await pause(50)) {
    if (performance.now() < end) continue
    process.kill(pid, 'SIGKILL')
    throw new Error(`Process ${pid} lives on without a reader. Its notes: ${notes().join()}`)
  }
}

/** Starts a process whose output is read until it is ready. Returns its pid, a function that ends the reader, and its notes. */
async function start(wrap: (program: string, file: string) => string[]) {
  const [program, file] = [join(folder, 'child.mjs'), join(folder, 'notes')]
  writeFileSync(program, child)
  const reader = spawn(process.execPath, wrap(program, file), { stdio: ['ignore', 'pipe', 'pipe'] })
  reader.stderr.resume()
  await once(reader.stdout, 'data')
  const notes = () => readFileSync(file, 'utf8').trim().split('\n')
  return { reader, notes, pid: Number(notes()[0]) }
}

test('when the starter is killed while its child writes, the child ends as it does when asked', async () => {
  const servers = pathToFileURL(await bundleProgram('scripts/support/servers.ts')).href
  const { reader, notes, pid } = await start((program, file) => {
    const args = JSON.stringify([program, file])
    const starter = `import { startChild } from ${JSON.stringify(servers)}
      startChild({ name: 'The child', args: ${args}, env: process.env, live: true })`
    return ['--input-type=module', '--eval', starter]
  })
  reader.kill('SIGKILL')
  await waitForEnd(pid, notes)
  expect(notes().slice(1)).toEqual(['asked to end', 'ended'])
})

test('a program whose output was closed ends, whoever started it', async () => {
  const { reader, notes, pid } = await start((program, file) => [
    '--import',
    new URL('end-without-reader.mjs', import.meta.url).href,
    program,
    file,
  ])
  reader.stdout.destroy()
  reader.stderr.destroy()
  await waitForEnd(pid, notes)
  expect(notes().slice(1)).toEqual(['asked to end', 'ended'])
})
