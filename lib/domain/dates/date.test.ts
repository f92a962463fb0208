import { describe, expect, it } from 'vitest'
import { formatBusinessDate, formatDay, formatTimestamp, parseBusinessDay } from './date'

const copenhagen = 'Europe/Copenhagen'
const zones = ['UTC', copenhagen, 'America/St_Johns', 'Pacific/Kiritimati', 'Asia/Kolkata', 'Pacific/Pago_Pago']

describe('a business date', () => {
  it.each(zones)('is not shifted by midnight UTC when the scheme is in %s', (zone) => {
    expect(parseBusinessDay('2026-11-23T00:00:00Z', zone)).toBe('2026-11-23')
    expect(parseBusinessDay('2026-11-23T00:00:00', zone)).toBe('2026-11-23')
    expect(parseBusinessDay('2026-11-23T00:00:00.0000000Z', zone)).toBe('2026-11-23')
    expect(parseBusinessDay('2026-11-23T00:00:00+01:00', zone)).toBe('2026-11-23')
    expect(parseBusinessDay('2026-11-23', zone)).toBe('2026-11-23')
  })

  it('falls on its day in the zone of the scheme at any other time', () => {
    expect(parseBusinessDay('2026-11-22T23:00:00Z', copenhagen)).toBe('2026-11-23')
    expect(parseBusinessDay('2026-06-22T22:00:00Z', copenhagen)).toBe('2026-06-23')
    expect(parseBusinessDay('2026-11-22T22:59:59Z', copenhagen)).toBe('2026-11-22')
    expect(parseBusinessDay('2026-11-23T02:00:00Z', 'America/St_Johns')).toBe('2026-11-22')
  })

  it('names its zone, and gives machines the day', () => {
    expect(formatBusinessDate('2026-11-23T00:00:00Z', copenhagen, 'en-GB')).toEqual({
      text: '23 Nov 2026',
      dateTime: '2026-11-23',
      title: 'Monday, 23 Nov 2026, a day in Europe/Copenhagen',
    })
    expect(formatDay('2026-11-23', 'da')).toBe('23. nov. 2026')
  })
})

describe('a moment', () => {
  it('is shown in the zone of the viewer, with its name', () => {
    const shown = (zone: string) => formatTimestamp('2026-11-20T13:03:22Z', zone, 'en-GB')?.text
    expect(shown('UTC')).toBe('20 Nov 2026, 13:03 UTC')
    expect(shown(copenhagen)).toBe('20 Nov 2026, 14:03 CET')
    expect(shown('Asia/Kolkata')).toBe('20 Nov 2026, 18:33 GMT+5:30')
    expect(shown('Pacific/Kiritimati')).toBe('21 Nov 2026, 03:03 GMT+14')
  })

  it('tells the two 02:30 apart that a clock change makes', () => {
    const shown = (moment: string) => formatTimestamp(moment, copenhagen, 'en-GB')?.text
    expect(shown('2027-10-31T00:30:00Z')).toBe('31 Oct 2027, 02:30 CEST')
    expect(shown('2027-10-31T01:30:00Z')).toBe('31 Oct 2027, 02:30 CET')
    expect(shown('2027-03-28T00:59:59Z')).toBe('28 Mar 2027, 01:59 CET')
    expect(shown('2027-03-28T01:00:00Z')).toBe('28 Mar 2027, 03:00 CEST')
  })

  it('gives the seconds and UTC in its title', () => {
    expect(formatTimestamp('2026-11-20T13:03:22Z', copenhagen, 'da-DK', true)?.text).toBe('20. nov. 2026, 14.03.22 CET')
    expect(formatTimestamp('2026-11-20T14:03:22.1234567+01:00', copenhagen, 'en-GB')).toEqual({
      text: '20 Nov 2026, 14:03 CET',
      dateTime: '2026-11-20T13:03:22.123Z',
      title: '2026-11-20 13:03:22 UTC',
    })
  })
})

describe('dialects and garbage (DC-08)', () => {
  it.each([
    ['2026-11-20T13:03:22', '2026-11-20T13:03:22.000Z'],
    ['2026-11-20 13:03:22', '2026-11-20T13:03:22.000Z'],
    ['2026-11-20T14:03:22+0100', '2026-11-20T13:03:22.000Z'],
    ['2026-11-20T13:03Z', '2026-11-20T13:03:00.000Z'],
    ['2026-11-20T13:03:22.1Z', '2026-11-20T13:03:22.100Z'],
    ['2026-11-20T13:03:22-03:30', '2026-11-20T16:33:22.000Z'],
    ['2026-11-20t13:03:22z', '2026-11-20T13:03:22.000Z'],
    ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
    ['9998-12-31T23:59:59Z', '9998-12-31T23:59:59.000Z'],
  ])('reads %s', (value, dateTime) => {
    expect(formatTimestamp(value, 'UTC', 'en-GB')?.dateTime).toBe(dateTime)
  })

  it('keeps a date without a time to its day, in every zone', () => {
    for (const zone of zones) expect(formatTimestamp('2026-11-20', zone, 'en-GB')?.text).toBe('20 Nov 2026')
  })

  it.each([
    '0001-01-01T00:00:00',
    '0001-01-01T00:00:00Z',
    '0001-01-01',
    '',
    'null',
    'yesterday',
    '1700000000',
    '20/11/2026',
    '2026-02-30T00:00:00Z',
    '2027-02-29',
    '2026-13-01',
    '2026-11-20T24:00:00Z',
    '2026-12-31T23:59:60Z',
    '2026-11-20T13:03:22+99:00',
    '2026-11-20T13:03:22 Z',
    '+002026-11-20T13:03:22Z',
    '2026-11-20T13:03:22Zjunk',
  ])('shows nothing for %j', (value) => {
    expect(formatTimestamp(value, 'UTC', 'en-GB')).toBeNull()
    expect(formatBusinessDate(value, copenhagen, 'en-GB')).toBeNull()
  })

  it.each(['9999-12-31T23:59:59.9999999Z', '9999-12-31T23:59:59.9999999', '9999-12-31T00:00:00+01:00', '9999-12-31'])(
    'shows nothing for %j, by which .NET means no date, in every zone',
    (value) => {
      for (const zone of zones) {
        expect(formatTimestamp(value, zone, 'en-GB')).toBeNull()
        expect(formatBusinessDate(value, zone, 'en-GB')).toBeNull()
        expect(parseBusinessDay(value, zone)).toBeNull()
      }
    },
  )

  it('shows nothing for what was not said', () => {
    expect(formatTimestamp(null, 'UTC', 'en-GB')).toBeNull()
    expect(formatBusinessDate(undefined, copenhagen, 'en-GB')).toBeNull()
  })
})
