import { render, screen } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { PathnameContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import { expect, it, vi } from 'vitest'
import { payment as paymentSchema } from '@/lib/api-contract/payments'
import { router } from '@/lib/client/testing/page'
import { facts } from '../data-table/testing/render-rows'
import { AppConfigProvider } from '../layout/app-config'
import { RowMenu } from './row-menu'

// jsdom lacks CSS.escape; these ids need none.
vi.stubGlobal('CSS', { escape: String })

it.each([
  ['/payments', true],
  ['/mandates/m1', true],
  ['/customers/c1', false],
  ['/customers/cus_x9', false],
])('the menu at %s offers the customer: %s', async (pathname, isOffered) => {
  const payment = paymentSchema.parse({ id: 'p1', reference: 'INV-1', customer: { id: 'c1', name: 'Åse Mølgaard' } })
  const place = { key: 'p1', payment, row: document.body, x: 0, y: 0 }
  const content = Object.assign(document.createElement('main'), { id: 'content' })
  render(
    <AppRouterContext value={router}>
      <PathnameContext value={pathname}>
        <AppConfigProvider config={facts}>
          <RowMenu place={place} mayCancel={false} onOpen={undefined} onClose={() => undefined} />
        </AppConfigProvider>
      </PathnameContext>
    </AppRouterContext>,
    { container: document.body.appendChild(content) },
  )
  await screen.findByRole('menuitem', { name: 'Open full page' })
  expect(screen.getByRole('menu', { name: 'Actions for INV-1' })).toBeTruthy()
  expect(screen.queryByRole('menuitem', { name: 'Open customer' }) !== null).toBe(isOffered)
})
