import { expect, test, vi } from 'vitest'
import { logFailure } from './logging'

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
