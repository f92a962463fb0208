import { describe, expect, it } from 'vitest'
import { nameList } from './name-list'

describe('the name of a list of payments', () => {
  it('is what its first payments are called, and how many more there are', () => {
    expect(nameList(['PMT-1'])).toBe('PMT-1')
    expect(nameList(['PMT-1', 'PMT-2'])).toBe('PMT-1 and PMT-2')
    expect(nameList(['PMT-1', 'PMT-2', 'PMT-3'])).toBe('PMT-1, PMT-2 and 1 more')
    expect(nameList(Array.from({ length: 5_000 }, (_, at) => `PMT-${at}`))).toBe('PMT-0, PMT-1 and 4998 more')
  })

  it('stays within what a name may have', () => {
    expect(nameList(Array.from({ length: 5_000 }, () => '😀'.repeat(500))).length).toBeLessThan(200)
  })
})
