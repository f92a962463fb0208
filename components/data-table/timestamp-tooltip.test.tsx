import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useRef } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AppConfigProvider } from '../layout/app-config'
import { DayCell } from './cells'
import { TimestampTooltip } from './timestamp-tooltip'
import { layOut } from './testing/lay-out'
import { waitUntil } from '../infinite-list/testing/open-list'
import { facts } from './testing/render-rows'

function Grid() {
  const grid = useRef<HTMLDivElement>(null)
  return (
    <AppConfigProvider config={facts}>
      <div ref={grid} data-testid="grid">
        <DayCell value="2026-11-22T00:00:00Z" />
        <DayCell value="2026-12-24T00:00:00Z" />
        <button type="button">Cancel</button>
      </div>
      <TimestampTooltip grid={grid} />
    </AppConfigProvider>
  )
}

const tip = () => screen.queryByRole('tooltip', { hidden: true })
const isGone = () => waitUntil(() => tip() === null)
const day = (text: string) => screen.getByText(text)

async function point(text: string): Promise<void> {
  fireEvent.pointerMove(day(text))
  await waitUntil(() => tip()?.textContent === day(text).getAttribute('aria-description'))
}

beforeEach(() => {
  layOut()
  render(<Grid />)
})

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('the tip of a short date', () => {
  it('tells it in full under the pointer, one date after the other, and goes with the pointer', async () => {
    await point('22 Nov 2026')
    expect(tip()?.textContent).toContain('Sun')
    await point('24 Dec 2026')
    fireEvent.pointerMove(screen.getByRole('button'))
    await isGone()
  })

  it('goes with the pointer that leaves the grid, unless that goes to the tip', async () => {
    await point('22 Nov 2026')
    fireEvent.pointerLeave(screen.getByTestId('grid'), { relatedTarget: tip() })
    expect(tip()).not.toBeNull()
    fireEvent.pointerLeave(screen.getByTestId('grid'), { relatedTarget: document.body })
    await isGone()
  })

  it('tells it under the focus too', async () => {
    day('22 Nov 2026').focus()
    await waitUntil(() => tip() !== null)
    expect(tip()?.textContent).toContain('22 Nov')
    screen.getByRole('button').focus()
    await isGone()
  })

  it.each([
    ['a press, which may open a panel beneath', () => fireEvent.pointerDown(day('22 Nov 2026'))],
    ['a scroll', () => fireEvent.scroll(screen.getByTestId('grid'))],
    ['Escape', () => fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' })],
  ])('goes with %s', async (_, act) => {
    await point('22 Nov 2026')
    act()
    await isGone()
    expect(tip()).toBeNull()
  })
})
