import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { LogFile } from './log-file'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'log-file-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const read = (name: string) => readFileSync(join(folder, 'logs', name), 'utf8')
const event = (id: string | number) =>
  `${JSON.stringify({ level: 40, stream: 'security', event: 'denied', id, word: 'Ærø' })}\n`

test('a restart erases nothing', () => {
  new LogFile(folder, 'desk').write(Buffer.from('before\n'))
  new LogFile(folder, 'desk').write(Buffer.from('after\n'))
  expect(read('desk.log')).toBe('before\nafter\n')
})

test('a flood of other lines, restarts within it, leaves the security events; everything stays bounded', () => {
  let log = new LogFile(folder, 'desk', 10_000)
  log.write(Buffer.from(event('first')), { isLog: true })
  for (let line = 0; line < 2_000; line += 1) {
    if (line % 500 === 0) log = new LogFile(folder, 'desk', 10_000)
    log.write(Buffer.from(`${JSON.stringify({ line, text: 'x'.repeat(50) })}\n`), { isLog: true })
  }
  expect(read('desk.log') + read('desk.1.log')).not.toContain('first')
  expect(read('security.log')).toBe(event('first'))
  const sizes = readdirSync(join(folder, 'logs')).map((name) => statSync(join(folder, 'logs', name)).size)
  expect(sizes).toHaveLength(3)
  expect(Math.max(...sizes)).toBeLessThan(10_200)
})

test.skipIf(process.platform !== 'linux')('a full disk ends nothing', () => {
  mkdirSync(join(folder, 'logs'))
  for (const name of ['desk.log', 'security.log']) symlinkSync('/dev/full', join(folder, 'logs', name))
  const log = new LogFile(folder, 'desk')
  expect(() => log.write(Buffer.from(event('lost')), { isLog: true })).not.toThrow()
})

test('nor does a file that cannot be rotated, or a security log that cannot be opened; lines go on once they can be', () => {
  for (const name of ['desk.1.log', 'security.log'])
    mkdirSync(join(folder, 'logs', name, 'in-the-way'), { recursive: true })
  const log = new LogFile(folder, 'desk', 10)
  const write = (id: string) => log.write(Buffer.from(event(id)), { isLog: true })
  write('first')
  expect(() => write('lost')).not.toThrow()
  for (const name of ['desk.1.log', 'security.log']) rmSync(join(folder, 'logs', name), { recursive: true })
  write('second')
  expect([read('desk.1.log'), read('desk.log'), read('security.log')]).toEqual([
    event('first'),
    event('second'),
    event('second'),
  ])
})

test('keeps five files of security events, the newest first', () => {
  const log = new LogFile(folder, 'desk', 1_000)
  for (let id = 0; id < 200; id += 1) log.write(Buffer.from(event(id)), { isLog: true })
  const names = readdirSync(join(folder, 'logs')).filter((name) => name.startsWith('security'))
  expect(names.toSorted()).toEqual([
    'security.1.log',
    'security.2.log',
    'security.3.log',
    'security.4.log',
    'security.log',
  ])
  expect(read('security.log')).toContain('"id":199')
})

test('knows an event in whatever pieces it comes, and no text that only looks like one', () => {
  const log = new LogFile(folder, 'desk')
  const bytes = Buffer.from(event('in pieces'))
  for (const byte of bytes) log.write(Buffer.from([byte]), { isLog: true })
  for (const line of ['"stream":"security" {\n', `${JSON.stringify({ path: '"stream":"security"' })}\n`])
    log.write(Buffer.from(line), { isLog: true })
  log.write(Buffer.from(event('on standard error')))
  expect(read('security.log')).toBe(event('in pieces'))
})
