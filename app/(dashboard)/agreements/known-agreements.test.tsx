import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { expect, it, vi } from 'vitest'
import { facts } from '@/components/data-table/testing/render-rows'
import { AppConfigProvider } from '@/components/layout/app-config'
import { router } from '@/lib/client/testing/page'
import type { KnownAgreement } from '@/lib/domain/agreements'
import { AgreementLookup, type FailedLookup, KnownAgreementsTable } from './known-agreements'

it.each([['m-2'], [null]])('submitted before the page is ready, the lookup names the merchant: %s', (merchant) => {
  render(
    <AppRouterContext value={router}>
      <AppConfigProvider config={{ ...facts, merchant }}>
        <AgreementLookup failed={null} />
      </AppConfigProvider>
    </AppRouterContext>,
  )
  const form = screen.getByRole('textbox').closest('form')
  expect(form && new FormData(form).get('merchant')).toBe(merchant)
})

it('an id that the provider does not have stays in its field, with why, until it is changed', () => {
  const push = vi.fn<typeof router.push>()
  const at = (failed: FailedLookup | null) => (
    <AppRouterContext value={{ ...router, push }}>
      <AppConfigProvider config={facts}>
        <AgreementLookup failed={failed} />
      </AppConfigProvider>
    </AppRouterContext>
  )
  const page = render(at(null))
  const field = screen.getByRole('textbox')
  fireEvent.change(field, { target: { value: 'zzz' } })
  fireEvent.click(screen.getByRole('button', { name: 'Open' }))
  expect(push.mock.lastCall).toEqual(['/agreements?words=zzz'])
  page.rerender(at({ words: 'zzz', why: 'There is none.' }))
  expect(screen.getByRole('textbox', { description: 'There is none.' })).toHaveProperty('value', 'zzz')
  fireEvent.change(field, { target: { value: 'zzzy' } })
  expect(screen.queryByText('There is none.')).toBeNull()
  cleanup()
  render(at({ words: 'zzz', why: 'There is none.' }))
  expect(screen.getByRole('textbox', { description: 'There is none.' })).toHaveProperty('value', 'zzz')
})

const agreement: KnownAgreement = {
  agreementId: 'am_1',
  handle: null,
  scheme: 'nets-bs',
  status: 'active',
  test: false,
  source: 'merchant',
  rememberedBy: 'desk',
  readAt: '2026-11-29T17:05:00.000Z',
}

it('a plain click anywhere in a row follows its link, and on the way back the row has the focus', () => {
  const followed = vi.fn<(href: string | null) => void>()
  const table = (
    <AppConfigProvider config={{ ...facts, connectionId: null }}>
      <KnownAgreementsTable agreements={[agreement, { ...agreement, agreementId: 'am_2' }]} loadId="load-1" />
    </AppConfigProvider>
  )
  const { container } = render(table)
  container.addEventListener('click', (event) => {
    event.preventDefault()
    if (event.target instanceof HTMLAnchorElement) followed(event.target.getAttribute('href'))
  })
  const [, cell] = screen.getAllByText('Named in the merchant record')
  if (!cell) throw new Error('no second row')
  fireEvent.click(cell, { ctrlKey: true })
  expect(followed).not.toHaveBeenCalled()
  fireEvent.click(cell)
  expect(followed.mock.calls).toEqual([['/agreements/am_2']])
  cleanup()
  render(table)
  expect(document.activeElement?.textContent).toBe('am_2')
})
