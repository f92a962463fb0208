import { fireEvent, render, screen } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { SearchParamsContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import { expect, it, vi } from 'vitest'
import { facts } from '@/components/data-table/testing/render-rows'
import { AppConfigProvider } from '@/components/layout/app-config'
import { router, setDeskForEach } from '@/lib/client/testing/page'
import { CreatedNotice, CreateMerchant } from './create-merchant'

const desk = setDeskForEach()
const ignore = () => undefined

it('holds the token of a new merchant only while somebody has asked to see it', () => {
  const created = { id: 'm1', handle: 'mer_1', token: 'secret-token' }
  const { container } = render(<CreatedNotice created={created} onCopied={ignore} onDone={ignore} />)
  expect(container.textContent).toContain('mer_1')
  expect(document.documentElement.outerHTML).not.toContain('secret-token')
  fireEvent.click(screen.getByRole('button', { name: 'Show token' }))
  expect(container.textContent).toContain('secret-token')
  fireEvent.click(screen.getByRole('button', { name: 'Hide token' }))
  expect(document.documentElement.outerHTML).not.toContain('secret-token')
})

const asksToStay = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))

it.each(['Copy token', 'I’ve copied it'])(
  'the token of a new merchant is not lost unasked, nor by another creation, until “%s”',
  async (button) => {
    const clipboard = { writeText: () => Promise.resolve() }
    Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true })
    history.replaceState(null, '', '/merchant?new=1')
    desk.answerWith(() => ({ json: { status: 201, reply: { id: 'm1', token: 'secret-token' } } }))
    render(
      <AppRouterContext value={router}>
        <AppConfigProvider config={facts}>
          <SearchParamsContext value={new URLSearchParams('new=1')}>
            <CreateMerchant />
          </SearchParamsContext>
        </AppConfigProvider>
      </AppRouterContext>,
    )
    const name = screen.getByRole<HTMLInputElement>('textbox', { name: /^Name/u })
    await vi.waitFor(() => expect(name.matches(':disabled')).toBe(false))
    fireEvent.change(name, { target: { value: 'Second shop' } })
    fireEvent.submit(name)
    await screen.findByText(/The merchant was created/u)
    expect([location.search, screen.queryByRole('textbox'), asksToStay()]).toEqual(['', null, true])
    expect(screen.queryByRole('link', { name: 'Create merchant' })).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: button }))
    await vi.waitFor(() => expect(asksToStay()).toBe(false))
  },
)
