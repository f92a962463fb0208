import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type AppConfig, AppConfigProvider } from '../layout/app-config'
import { DayCell, KeyCell, LinkCell, TimestampCell, showText } from './cells'
import { facts } from './testing/render-rows'

const around = (cell: ReactNode, change: Partial<AppConfig>) => (
  <AppConfigProvider config={{ ...facts, ...change }}>{cell}</AppConfigProvider>
)

/** As rendered by the server, in UTC. */
const write = (cell: ReactNode, change: Partial<AppConfig> = {}) => renderToStaticMarkup(around(cell, change))

/** As rendered in a browser in that zone. */
function show(cell: ReactNode, zone: string, change: Partial<AppConfig> = {}): HTMLElement {
  const options = new Intl.DateTimeFormat().resolvedOptions()
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({ ...options, timeZone: zone })
  cleanup()
  return render(around(cell, change)).container
}

afterEach(() => {
  vi.restoreAllMocks()
  cleanup()
})

describe('dates', () => {
  const lateEvening = '2026-11-22T23:30:00Z'

  it('are those of the reader, also after somebody else was shown the same moment', () => {
    for (const _ of ['first', 'again']) {
      const cell = <TimestampCell value={lateEvening} />
      expect(show(cell, 'Europe/Copenhagen').textContent).toBe('23 Nov 2026')
      expect(show(cell, 'Europe/Copenhagen', { locale: 'da' }).textContent).toBe('23. nov. 2026')
      const time = show(cell, 'America/New_York').querySelector('time')
      expect(time?.textContent).toBe('22 Nov 2026')
      expect(time?.dateTime).toBe('2026-11-22T23:30:00.000Z')
      expect(time?.getAttribute('aria-description')).toBe('22 Nov 2026, 18:30 GMT-5')
    }
  })

  it('without a time are the same day everywhere', () => {
    const cell = <TimestampCell value="2026-11-22" />
    for (const zone of ['America/New_York', 'Europe/Copenhagen'])
      expect(show(cell, zone).textContent).toBe('22 Nov 2026')
  })

  it('are in UTC, and say so, before the zone of the reader is known', () => {
    const html = write(<TimestampCell value={lateEvening} />)
    expect(html).toContain('>22 Nov 2026<')
    expect(html).toContain('aria-description="22 Nov 2026, 23:30 UTC"')
  })

  it('that are business days are those of the scheme, whatever the zone of the reader', () => {
    for (const _ of ['first', 'again']) {
      expect(show(<DayCell value={lateEvening} />, 'America/New_York').querySelector('time')?.dateTime).toBe(
        '2026-11-23',
      )
      expect(write(<DayCell value={lateEvening} />, { schemeZone: 'UTC' })).toContain('2026-11-22')
    }
  })

  it('can be gone to by the keys of the grid, not by Tab', () => {
    for (const cell of [<DayCell key="day" value={lateEvening} />, <TimestampCell key="moment" value={lateEvening} />])
      expect(show(cell, 'UTC').querySelector('time')?.tabIndex).toBe(-1)
  })

  it('are nothing where there is none, or it cannot be read', () => {
    for (const value of [null, '', 'soon', '2026-02-30', '0001-01-01T00:00:00Z']) {
      expect(write(<DayCell value={value} />)).toBe('—')
      expect(write(<TimestampCell value={value} />)).toBe('—')
    }
  })
})

describe('texts', () => {
  it('are shown as they came, as text', () => {
    expect(write(showText('Åse & <b>Søn</b>'))).toBe('Åse &amp; &lt;b&gt;Søn&lt;/b&gt;')
    for (const value of [null, undefined, '']) expect(write(showText(value))).toBe('—')
  })

  it('turn and hide nothing beside them', () => {
    expect(write(showText('a\u202Eb'))).toBe('<bdi dir="auto">a‹U+202E›b</bdi>')
    expect(write(showText('a\u00ADb'))).toContain('<bdi')
    expect(write(showText('محمد'))).toBe('<bdi dir="auto">محمد</bdi>')
  })

  it('are links where the row has a page, which name the merchant of who has several', () => {
    const cell = <LinkCell value="INV-1" page="/payments/p1" />
    expect(show(cell, 'UTC').querySelector('a')?.getAttribute('href')).toBe('/payments/p1')
    expect(show(cell, 'UTC', { merchant: 'm2' }).querySelector('a')?.getAttribute('href')).toContain('m2')
    expect(write(<LinkCell value="INV-1" page={null} />)).toBe('INV-1')
    expect(write(<LinkCell value={null} page="/payments/p1" />)).toContain('>—</a>')
  })
})

describe('ids and handles', () => {
  it('have a button that copies them, out of the way of Tab', async () => {
    const copied: string[] = []
    const clipboard = { writeText: (text: string) => Promise.resolve(void copied.push(text)) }
    Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true })
    show(<KeyCell value="cus_1" name="handle" />, 'UTC')
    const button = screen.getByRole('button', { name: 'Copy handle' })
    expect(button.tabIndex).toBe(-1)
    fireEvent.click(button)
    await vi.waitFor(() => expect(copied).toEqual(['cus_1']))
  })

  it('are nothing where there is none', () => {
    for (const value of [null, undefined, '']) expect(write(<KeyCell value={value} name="handle" />)).toBe('—')
  })
})
