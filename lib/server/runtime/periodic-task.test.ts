import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startPeriodicTask } from './periodic-task'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('works at once, then every so often, and no more once it is stopped', async () => {
  const work = vi.fn<() => Promise<void>>(() => Promise.resolve())
  const task = startPeriodicTask(work, 1_000)
  expect(work).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(3_500)
  expect(work).toHaveBeenCalledTimes(4)
  await task.stop()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(work).toHaveBeenCalledTimes(4)
})

it('leaves out the turns that come while one lasts, and waits for that one when it is stopped', async () => {
  let finish = () => {}
  const work = vi.fn<() => Promise<void>>(() => new Promise<void>((resolve) => (finish = resolve)))
  const task = startPeriodicTask(work, 1_000)
  await vi.advanceTimersByTimeAsync(10_500)
  expect(work).toHaveBeenCalledTimes(1)
  finish()
  await vi.advanceTimersByTimeAsync(600)
  expect(work).toHaveBeenCalledTimes(2)
  let isStopped = false
  const stopped = task.stop().then(() => (isStopped = true))
  await vi.advanceTimersByTimeAsync(5_000)
  expect([isStopped, work.mock.calls.length]).toEqual([false, 2])
  finish()
  await stopped
})
