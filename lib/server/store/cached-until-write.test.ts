import { describe, expect, it } from 'vitest'
import { CachedUntilWrite } from './store'

function startStore() {
  let writes = 0
  let reads = 0
  const remembered = new CachedUntilWrite<number>()
  const readWrites = () => writes
  return {
    write: () => {
      writes += 1
    },
    read: async (key = 'one') => remembered.read(key, readWrites, async () => (reads += 1)),
    readSlowly: (key: string, meanwhile: () => void) =>
      remembered.read(key, readWrites, async () => {
        meanwhile()
        return (reads += 1)
      }),
    readShared: () => remembered.read('one', undefined, async () => (reads += 1)),
  }
}

describe('what is remembered while nothing changes', () => {
  it('is read once, each thing by itself', async () => {
    const store = startStore()
    expect([await store.read(), await store.read(), await store.read('other'), await store.read()]).toEqual([
      1, 1, 2, 1,
    ])
  })

  it('is read again after any write', async () => {
    const store = startStore()
    await store.read()
    store.write()
    expect([await store.read(), await store.read()]).toEqual([2, 2])
  })

  it('is read again where something was written while it was read', async () => {
    const store = startStore()
    await store.readSlowly('one', store.write)
    expect(await store.read()).toBe(2)
  })

  it('is read every time where others may write too', async () => {
    const store = startStore()
    expect([await store.readShared(), await store.readShared()]).toEqual([1, 2])
  })

  it('forgets the oldest rather than grow', async () => {
    const store = startStore()
    for (let key = 0; key <= 1_000; key += 1) await store.read(String(key))
    expect([await store.read('1000'), await store.read('0')]).toEqual([1_001, 1_002])
  })
})
