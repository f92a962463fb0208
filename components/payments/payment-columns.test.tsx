import { cleanup, render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import { facts } from '../data-table/testing/render-rows'
import { type AppConfig, AppConfigProvider } from '../layout/app-config'
import { AmountCell } from './payment-columns'

function show(cell: ReactNode, change: Partial<AppConfig> = {}): HTMLElement {
  cleanup()
  return render(<AppConfigProvider config={{ ...facts, ...change }}>{cell}</AppConfigProvider>).container
}

afterEach(cleanup)

describe('amounts', () => {
  it.each([
    [9_999_999_999, 'DKK', {}, false],
    [9_999_999_999, 'DKK', { locale: 'da' }, false],
    [99_999_999_999, 'DKK', {}, true],
    [-9_999_999_999, 'DKK', {}, true],
    [9_999_999_999, 'JPY', {}, false],
    [123_456_789_012, 'ISK', {}, true],
    ['9007199254740991', 'DKK', { locale: 'da' }, true],
    [12_345_678, 'kroner', {}, true],
  ])('are small where the column is too narrow for them: %s %s', (amount, currency, change, isSmall) => {
    const cell = show(<AmountCell amount={amount} currency={currency} />, change)
    expect(cell.querySelector('.dt-long-amount') !== null).toBe(isSmall)
    expect(cell.textContent).toContain(isSmall ? ` ${currency}` : `\u00A0${currency}`)
  })

  it('are exact, with the code of their currency', () => {
    const { textContent } = show(<AmountCell amount={124_500} currency="DKK" />)
    expect(textContent).toBe('1,245.00\u00A0DKK')
    expect(show(<AmountCell amount={124_500} currency="DKK" />, { locale: 'da' }).textContent).toContain('1.245,00')
  })

  it('say their unit where the currency is not known, and why where there is none', () => {
    expect(show(<AmountCell amount={124_500} currency="zzz" />).textContent).toContain('minor units')
    expect(show(<AmountCell amount={null} currency="DKK" />).textContent).toBe('—')
    expect(show(<AmountCell amount="1e99" currency="DKK" />).querySelector('[title]')).not.toBeNull()
  })
})
