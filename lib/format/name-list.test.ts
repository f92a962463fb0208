import { describe, expect, it } from 'vitest'
import { nameList } from './name-list'
import { formatCount } from './numbers'

const name = (names: readonly string[]) => nameList(names, (count) => formatCount(count, 'en-GB'))

describe('the name of a list of payments', () => {
  it('is what its first payments are called, and how many more there are', () => {
    expect(name(['PMT-1'])).toBe('PMT-1')
    expect(name(['PMT-1', 'PMT-2'])).toBe('PMT-1 and PMT-2')
    expect(name(['PMT-1', 'PMT-2', 'PMT-3'])).toBe('PMT-1, PMT-2 and 1 more')
    expect(name(Array.from({ length: 5_000 }, (_, at) => `PMT-${at}`))).toBe('PMT-0, PMT-1 and 4,998 more')
  })

  it('leaves out names of spaces, and is empty where there is no other', () => {
    expect(name(['', ' PMT-2 ', '  '])).toBe('PMT-2 and 2 more')
    expect(name(['', ' '])).toBe('')
    expect(name([])).toBe('')
  })

  it('stays within what a name may have', () => {
    expect(name(Array.from({ length: 5_000 }, () => '😀'.repeat(500))).length).toBeLessThan(200)
  })
})
