import { Failure } from './failure'

/**
 * Makes a gate that lets at most `most` tasks run at once and at most `waiting` stand in line, in their
 * order; beyond that it throws Failure 'too-many-attempts', with the `detail` that is given, without starting the task.
 */
export function limitConcurrency(
  most: number,
  waiting: number,
  detail?: string,
): <Result>(task: () => Promise<Result>) => Promise<Result> {
  let running = 0
  const line: (() => void)[] = []
  return async (task) => {
    if (running < most) {
      running += 1
    } else {
      if (line.length >= waiting)
        throw new Failure('too-many-attempts', { retryAfter: 5, ...(detail !== undefined && { detail }) })
      // Whoever finishes hands over the place, so it is not counted twice.
      await new Promise<void>((resolve) => line.push(resolve))
    }
    try {
      return await task()
    } finally {
      const next = line.shift()
      if (next) next()
      else running -= 1
    }
  }
}
