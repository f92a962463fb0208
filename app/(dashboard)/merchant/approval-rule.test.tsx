import { fireEvent, render, screen } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { expect, it, vi } from 'vitest'
import { facts } from '@/components/data-table/testing/render-rows'
import { AppConfigProvider } from '@/components/layout/app-config'
import { ApprovalRuleForm, ApprovalRuleSection } from './approval-rule'
import { router, setDeskForEach } from '@/lib/client/testing/page'

const desk = setDeskForEach()

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

it('an amount that is left as it stands is saved as it is stored, also where a comma is the decimal mark', async () => {
  desk.answerWith(() => ({ json: {} }))
  const limits = [{ currency: 'KWD', amount: '2.500' }]
  const onClose = vi.fn<() => void>()
  render(
    <AppRouterContext value={router}>
      <AppConfigProvider config={{ ...facts, locale: 'da-DK' }}>
        <ApprovalRuleForm rule={{ everyBulk: false, limits, hours: 24 }} onClose={onClose} />
      </AppConfigProvider>
    </AppRouterContext>,
  )
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: /amount 1/u }).value).toBe('2,500')
  fireEvent.submit(screen.getByRole('form'))
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledTimes(1))
  expect(desk.arrived.map(({ body }) => body)).toMatchObject([{ rule: { limits } }])
})

it('the focus goes into the form, to what remains when a limit is removed, and back to the button', async () => {
  const limits = [{ currency: 'DKK', amount: '100' }]
  render(
    <AppRouterContext value={router}>
      <AppConfigProvider config={facts}>
        <ApprovalRuleSection rule={{ everyBulk: false, limits, hours: 24 }} mayChange />
      </AppConfigProvider>
    </AppRouterContext>,
  )
  const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
  press('Change approval by a second person')
  await vi.waitFor(() => expect(document.activeElement).toBe(screen.getByRole('checkbox')))
  press('Remove amount 1')
  expect(document.activeElement).toBe(screen.getAllByRole('button', { name: /^Add an amount/u })[0])
  press('Keep as it is')
  await vi.waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Change approval by a second person' })),
  )
})

it('leaving a changed rule asks first, until it is saved', async () => {
  desk.answerWith(() => ({ json: {} }))
  const asksToStay = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  const atTheEnd: boolean[] = []
  render(
    <AppRouterContext value={router}>
      <AppConfigProvider config={facts}>
        <ApprovalRuleForm rule={null} onClose={() => atTheEnd.push(asksToStay())} />
      </AppConfigProvider>
    </AppRouterContext>,
  )
  fireEvent.click(screen.getByRole('checkbox'))
  await vi.waitFor(() => expect(asksToStay()).toBe(true))
  fireEvent.submit(screen.getByRole('form'))
  await vi.waitFor(() => expect(atTheEnd).toEqual([false]))
})
