import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { logFailure, openRequestLog } from './logging'

test('a statement that fails is told with its causes and without what was sent', () => {
  const told: string[] = []
  const spy = vi.spyOn(console, 'error').mockImplementation((text: string) => void told.push(text))
  const cause = Object.assign(new Error('duplicate key'), { code: '23505' })
  logFailure('a test failed', new Error('Failed query: insert into customers values ($1)\nparams: Ann Holm', { cause }))
  logFailure('a test failed', 'without an error')
  spy.mockRestore()
  expect(told[0]).toMatch(
    /^service: a test failed: Error: Failed query: insert .*, because of Error \(23505\): duplicate key\n {4}at /u,
  )
  expect(told[0]).not.toContain('Ann Holm')
  expect(told[1]).toContain('a test failed: without an error')
})

test('the log of requests goes on in a new file when it is full, and keeps the one before', () => {
  const folder = mkdtempSync(join(tmpdir(), 'debitdesk-requests-'))
  const { write } = openRequestLog(folder, 200)
  const entry = { at: '', method: 'DELETE', status: 200, idempotencyKey: null, outcome: 'accepted', body: null }
  for (let number = 1; number <= 7; number += 1) write({ ...entry, path: `/${number}` })
  const paths = (name: string) => readFileSync(join(folder, name), 'utf8').match(/\/\d/gu)
  expect([paths('requests.log'), paths('requests.1.log')]).toEqual([['/7'], ['/5', '/6']])
  rmSync(folder, { recursive: true })
})
