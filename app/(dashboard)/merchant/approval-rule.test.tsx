// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { facts } from '@/components/data-table/testing/render-rows'
import { AppConfigProvider } from '@/components/layout/app-config'
import { type DeskServer, startDeskServer } from '@/lib/client/testing/desk-server'
import { ApprovalRuleForm } from './approval-rule'
import { router } from '@/lib/client/testing/router'

let desk: DeskServer

beforeEach(async () => {
  desk = await startDeskServer()
})
afterEach(async () => {
  cleanup()
  await desk.close()
})

it('saves what is corrected after a currency stood there twice', async () => {
  desk.answerWith(() => ({ json: {} }))
  const onClose = vi.fn<() => void>()
  const limits = ['100', '200'].map((amount) => ({ currency: 'DKK', amount }))
  render(
    <AppRouterContext value={router}>
      <AppConfigProvider config={facts}>
        <ApprovalRuleForm rule={{ everyBulk: false, limits, hours: 24 }} onClose={onClose} />
      </AppConfigProvider>
    </AppRouterContext>,
  )
  const form = screen.getByRole('form')
  fireEvent.submit(form)
  await screen.findByRole('alert')
  fireEvent.change(screen.getByRole('textbox', { name: /Currency.*2/u }), { target: { value: 'EUR' } })
  fireEvent.submit(form)
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledTimes(1))
  expect(desk.arrived.map(({ body }) => body)).toMatchObject([
    { rule: { limits: [{ currency: 'DKK' }, { currency: 'EUR' }] } },
  ])
})
