import { render, screen } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { expect, it } from 'vitest'
import { facts } from '@/components/data-table/testing/render-rows'
import { AppConfigProvider } from '@/components/layout/app-config'
import { router } from '@/lib/client/testing/page'
import { AgreementLookup } from './known-agreements'

it.each([['m-2'], [null]])('submitted before the page is ready, the lookup names the merchant: %s', (merchant) => {
  render(
    <AppRouterContext value={router}>
      <AppConfigProvider config={{ ...facts, merchant }}>
        <AgreementLookup />
      </AppConfigProvider>
    </AppRouterContext>,
  )
  const form = screen.getByRole('textbox').closest('form')
  expect(form && new FormData(form).get('merchant')).toBe(merchant)
})
