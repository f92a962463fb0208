import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { facts } from '@/components/data-table/testing/render-rows'
import { AppConfigProvider } from '@/components/layout/app-config'
import { ConnectionSummary } from './merchant-record'

const summary = (isConnected: boolean, mayEdit: boolean) => (
  <AppConfigProvider config={facts}>
    <ConnectionSummary
      {...{ isConnected, mayEdit }}
      service="service.example"
      amounts="minor"
      zone="Europe/Copenhagen"
      cancellable={['pending']}
    />
  </AppConfigProvider>
)

it('says who sets how the provider is read, and leads an admin there', () => {
  const { rerender } = render(summary(false, true))
  expect(screen.getByRole('heading').textContent).toContain('set by whoever runs Debitdesk')
  rerender(summary(true, false))
  expect(screen.getByRole('heading').textContent).toContain('set in its connection')
  expect(screen.queryByRole('link')).toBeNull()
  rerender(summary(true, true))
  expect(screen.getByRole('link', { name: /set in its connection/u }).getAttribute('href')).toContain('/merchants/edit')
})
