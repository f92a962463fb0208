import { describe, expect, it } from 'vitest'
import { Failure } from './failure'
import { ReadAhead } from './read-ahead'

/** A list of pages `0`, `1`, `2` … and what was asked of it. */
function startList(options: { failAhead?: Failure; last?: string } = {}) {
  const asked: string[] = []
  let now = 0
  const ahead = new ReadAhead<{ next: string | null }>(() => now)
  const read = async (after: string, isAhead: boolean) => {
    asked.push(isAhead ? `${after} ahead` : after)
    if (isAhead && options.failAhead) throw options.failAhead
    return { next: after === options.last ? null : String(Number(after) + 1) }
  }
  return {
    asked,
    pass: (ms: number) => {
      now += ms
    },
    /** Until what is read ahead, which takes no time here, is read. */
    settle: () => new Promise((resolve) => setImmediate(resolve)),
    get: (walk: string, after: string) => ahead.read(walk, after, read, (reply) => reply.next),
  }
}

describe('reading ahead', () => {
  it('reads nothing ahead for the first page that is asked for', async () => {
    const list = startList()
    await list.get('one', '1')
    expect(list.asked).toEqual(['1'])
  })

  it('reads one page ahead of who walks, then two, then three, and asks the service for each page once', async () => {
    const list = startList()
    const asked = ['1', '2', '3 ahead', '4 ahead', '5 ahead', '6 ahead', '7 ahead', '8 ahead']
    for (const [after, count] of [
      ['1', 1],
      ['2', 3],
      ['3', 5],
      ['4', 7],
      ['5', 8],
    ] as const) {
      await list.get('one', after)
      await list.settle()
      expect(list.asked).toEqual(asked.slice(0, count))
    }
  })

  it('reads no further where the list ends', async () => {
    const list = startList({ last: '4' })
    for (const after of ['1', '2', '3', '4']) await list.get('one', after)
    await list.settle()
    expect(list.asked).toEqual(['1', '2', '3 ahead', '4 ahead'])
  })

  it('gives what was read ahead to nobody else', async () => {
    const list = startList()
    for (const after of ['1', '2']) await list.get('one', after)
    await list.get('other', '3')
    expect(list.asked).toEqual(['1', '2', '3 ahead', '3'])
  })

  it('reads afresh for who comes back later than a second', async () => {
    const list = startList()
    for (const after of ['1', '2']) await list.get('one', after)
    list.pass(1_001)
    await list.get('one', '3')
    expect(list.asked).toEqual(['1', '2', '3 ahead', '3'])
  })

  it('reads afresh for who goes elsewhere', async () => {
    const list = startList()
    for (const after of ['1', '2', '7']) await list.get('one', after)
    expect(list.asked).toEqual(['1', '2', '3 ahead', '7'])
  })

  it('asks again where reading ahead went wrong', async () => {
    const list = startList({ failAhead: new Failure('upstream-error') })
    for (const after of ['1', '2']) await list.get('one', after)
    await expect(list.get('one', '3')).resolves.toEqual({ next: '4' })
    expect(list.asked).toEqual(['1', '2', '3 ahead', '3', '4 ahead'])
  })

  it('passes on that the service asks to slow down, without asking again', async () => {
    const list = startList({ failAhead: new Failure('upstream-slow-down', { retryAfter: 7 }) })
    for (const after of ['1', '2']) await list.get('one', after)
    await expect(list.get('one', '3')).rejects.toMatchObject({ code: 'upstream-slow-down' })
    expect(list.asked).toEqual(['1', '2', '3 ahead'])
  })
})
