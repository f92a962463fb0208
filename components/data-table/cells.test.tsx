import { describe, expect, it } from 'vitest'
import type { CellFacts } from './cell-facts'
import { showDay, showMomentDay } from './cells'

const facts: CellFacts = {
  locale: 'en-GB',
  amounts: 'major',
  schemeZone: 'Europe/Copenhagen',
  viewerZone: 'Europe/Copenhagen',
  cancelled: [],
  cancellable: [],
  mayCancel: false,
  findCancellation: () => null,
  address: (address) => address,
}

describe('what was shown lately', () => {
  const lateEvening = '2026-11-22T23:30:00Z'

  it('is shown anew to a reader in another zone or of another language', () => {
    for (const _ of ['first', 'again']) {
      expect(showMomentDay(lateEvening, facts)?.text).toBe('23 Nov 2026')
      expect(showMomentDay(lateEvening, { ...facts, viewerZone: 'UTC' })).toEqual({
        text: '22 Nov 2026',
        dateTime: '2026-11-22T23:30:00.000Z',
        title: '22 Nov 2026, 23:30 UTC',
      })
      expect(showMomentDay(lateEvening, { ...facts, locale: 'da' })?.text).toBe('23.11.2026')
    }
  })

  it('keeps days of the scheme apart from moments of the reader', () => {
    for (const _ of ['first', 'again']) {
      expect(showDay(lateEvening, { ...facts, viewerZone: 'UTC' })?.dateTime).toBe('2026-11-23')
      expect(showMomentDay(lateEvening, { ...facts, schemeZone: 'UTC' })?.title).toContain('00:30')
      expect(showDay(lateEvening, { ...facts, schemeZone: 'UTC' })?.dateTime).toBe('2026-11-22')
    }
  })

  it('is nothing where there is none, or it cannot be read', () => {
    for (const value of [null, '', 'soon', '2026-02-30', '0001-01-01T00:00:00Z']) {
      expect(showDay(value, facts)).toBeNull()
      expect(showMomentDay(value, facts)).toBeNull()
    }
  })
})
