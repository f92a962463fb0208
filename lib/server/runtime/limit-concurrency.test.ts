import { expect, it } from 'vitest'
import { AppError } from './app-error'
import { limitConcurrency } from './limits'

function makeTask() {
  let finish: () => void = () => undefined
  const done = new Promise<void>((resolve) => {
    finish = resolve
  })
  return { done, finish }
}

function makeAbort() {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}

it('runs so many at once, keeps the order and refuses when the line is full', async () => {
  const limited = limitConcurrency(2, 2)
  const tasks = Array.from({ length: 4 }, makeTask)
  const started: number[] = []
  const running = tasks.map(({ done }, index) =>
    limited(async () => {
      started.push(index)
      await done
      return index
    }),
  )
  await expect(limited(async () => 5)).rejects.toMatchObject({
    code: 'too-many-attempts',
    evidence: { written: false },
  })
  expect(started).toEqual([0, 1])
  tasks[1]?.finish()
  await running[1]
  expect(started).toEqual([0, 1, 2])
  for (const { finish } of tasks) finish()
  expect(await Promise.all(running)).toEqual([0, 1, 2, 3])
})

it('gives the place of a task that failed to the next', async () => {
  const limited = limitConcurrency(1, 1)
  const failing = limited(() => Promise.reject(new Error('no')))
  const next = limited(async () => 'ran')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('ran')
  expect(await limited(async () => 'again')).toBe('again')
})

it('lets a task leave the line when its time is over or it is aborted, and never runs it', async () => {
  const limited = limitConcurrency(1, 3)
  const first = makeTask()
  const running = limited(() => first.done)
  const started: string[] = []
  const start = (name: string) => async () => started.push(name)
  const giveUp = () => new AppError('upstream-timeout', { written: false })
  const { signal, abort } = makeAbort()
  const late = limited(start('late'), { deadline: 20, giveUp })
  const aborted = limited(start('aborted'), { deadline: 60_000, signal, giveUp })
  const next = limited(start('next'), { deadline: 60_000, giveUp })
  await expect(late).rejects.toMatchObject({ code: 'upstream-timeout', evidence: { written: false } })
  expect(limited.countWaiting()).toBe(2)
  abort()
  await expect(aborted).rejects.toMatchObject({ code: 'upstream-timeout' })
  await expect(limited(start('aborted before'), { deadline: 60_000, signal, giveUp })).rejects.toThrow(
    'upstream-timeout',
  )
  expect(limited.countWaiting()).toBe(1)
  first.finish()
  await Promise.all([running, next])
  expect(started).toEqual(['next'])
  expect(await limited(async () => 'again')).toBe('again')
})
