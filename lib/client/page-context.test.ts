import { afterEach, expect, it, vi } from 'vitest'
import { addMerchantParam, recallPageOffset, rememberPageOffset } from './page-context'

afterEach(() => {
  vi.resetModules()
  history.replaceState(null, '', '/')
})

it.each<[address: string, written: string]>([
  ['/payments', '/payments?merchant=m-1'],
  ['/payments?state=Pending', '/payments?state=Pending&merchant=m-1'],
  ['/payments?a=b#top', '/payments?a=b&merchant=m-1#top'],
  ['/payments?merchant=m-2', '/payments?merchant=m-2'],
  ['/payments?open=1&merchant=m-2', '/payments?open=1&merchant=m-2'],
  ['https://elsewhere.example/', 'https://elsewhere.example/'],
])('names the merchant in %s, unless it is another place or is named', (address, written) => {
  expect(addMerchantParam(address, 'm-1')).toBe(written)
  expect(addMerchantParam(address, null)).toBe(address)
})

it('belongs to the merchant that the document was loaded for, whatever its address says later', async () => {
  history.replaceState(null, '', '/payments?merchant=m-1')
  const { getMerchant, withMerchantParam: keepMerchant } = await import('./page-context')
  history.replaceState(null, '', '/payments?merchant=m-2')
  expect([getMerchant(), keepMerchant('/customers')]).toEqual(['m-1', '/customers?merchant=m-1'])
  const { getRequestHeaders: getDeskHeaders } = await import('./page-context')
  expect(getDeskHeaders()).toMatchObject({ 'x-debitdesk-merchant': 'm-1' })
})

it('names none in a document that was loaded for none', async () => {
  history.replaceState(null, '', '/payments')
  const { withMerchantParam: keepMerchant } = await import('./page-context')
  const { getRequestHeaders: getDeskHeaders } = await import('./page-context')
  expect(keepMerchant('/customers')).toBe('/customers')
  expect(Object.keys(getDeskHeaders())).not.toContain('x-debitdesk-merchant')
})

it('a browser that stores nothing remembers no page of a payment', () => {
  const refuse = () => {
    throw new DOMException('full', 'QuotaExceededError')
  }
  vi.stubGlobal('sessionStorage', { setItem: refuse, getItem: refuse })
  expect(() => rememberPageOffset('p1', '100')).not.toThrow()
  expect(recallPageOffset('p1')).toBeNull()
  vi.unstubAllGlobals()
})
