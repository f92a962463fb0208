import { expect, it } from 'vitest'
import { limitConcurrency } from './limits'

function makeTask() {
  let finish: () => void = () => undefined
  const done = new Promise<void>((resolve) => {
    finish = resolve
  })
  return { done, finish }
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
