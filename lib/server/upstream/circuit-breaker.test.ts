import { beforeEach, describe, expect, it, vi } from 'vitest'
import { CircuitBreaker } from './upstream-state'
import { AppError } from '../runtime/app-error'

let now = 0
let breaker: CircuitBreaker
const fails = vi.fn<() => Promise<never>>(async () =>
  Promise.reject(new AppError('upstream-unreachable', { written: false })),
)
const holds = vi.fn<() => Promise<string>>(async () => 'answered')

beforeEach(() => {
  now = 0
  breaker = new CircuitBreaker(() => now)
  fails.mockClear()
  holds.mockClear()
})

async function failTimes(times: number): Promise<void> {
  for (let turn = 0; turn < times; turn += 1) await expect(breaker.run(fails)).rejects.toThrow('upstream-unreachable')
}

describe('a breaker', () => {
  it('lets everything through until five failures in a row', async () => {
    await failTimes(4)
    expect(await breaker.run(holds)).toBe('answered')
    await failTimes(4)
    expect(await breaker.run(holds)).toBe('answered')
  })

  it('is not told as open any more where nobody has asked for minutes', async () => {
    await failTimes(5)
    now = 5 * 60_000
    expect(breaker.state).toBe('open')
    now = 15 * 60_000
    expect(breaker.state).toBe('closed')
    await failTimes(1)
    expect(breaker.state).toBe('open')
  })

  it('then sends nothing for five seconds, and says so', async () => {
    await failTimes(5)
    now = 4_999
    await expect(breaker.run(holds)).rejects.toMatchObject({
      code: 'upstream-unreachable',
      evidence: { written: false, retryAfter: 1 },
    })
    expect(holds).not.toHaveBeenCalled()
  })

  it('sends one to see, the others when that was answered (UP-34)', async () => {
    await failTimes(5)
    now = 5_000
    let finish: (word: string) => void = () => undefined
    const probe = breaker.run(() => new Promise<string>((resolve) => (finish = resolve)))
    await expect(breaker.run(holds)).rejects.toMatchObject({ code: 'upstream-unreachable' })
    finish('answered')
    expect(await probe).toBe('answered')
    expect(await Promise.all([breaker.run(holds), breaker.run(holds)])).toEqual(['answered', 'answered'])
  })

  it('rests again when that one failed too', async () => {
    await failTimes(5)
    now = 5_000
    await failTimes(1)
    expect(fails).toHaveBeenCalledTimes(6)
    now = 9_999
    await expect(breaker.run(holds)).rejects.toMatchObject({ code: 'upstream-unreachable' })
    now = 10_000
    expect(await breaker.run(holds)).toBe('answered')
  })

  it('is not taken in by one that was given up before it was sent: the next one is sent to see', async () => {
    await failTimes(5)
    now = 5_000
    const givenUp = async () => Promise.reject(new AppError('upstream-timeout', { written: false }))
    await expect(breaker.run(givenUp)).rejects.toMatchObject({ code: 'upstream-timeout' })
    expect(await breaker.run(holds)).toBe('answered')
  })

  it('never stops what must be sent: a cancellation that is marked as sending', async () => {
    await failTimes(9)
    expect(await breaker.run(holds, { always: true })).toBe('answered')
    expect(await breaker.run(holds)).toBe('answered')
  })

  it.each(['upstream-timeout', 'upstream-bad-reply'] as const)(
    'counts %s after it was sent as a connection',
    async (code) => {
      await failTimes(4)
      await expect(breaker.run(async () => Promise.reject(new AppError(code, { written: true })))).rejects.toThrow(code)
      await failTimes(4)
      expect(await breaker.run(holds)).toBe('answered')
    },
  )
})
