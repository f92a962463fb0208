import { fireEvent, render, screen } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { expect, it, vi } from 'vitest'
import { facts } from '@/components/data-table/testing/render-rows'
import { AppConfigProvider } from '@/components/layout/app-config'
import { ApprovalRuleForm, ApprovalRuleSection } from './approval-rule'
import { router, setDeskForEach } from '@/lib/client/testing/page'
import type { ApprovalRule } from '@/lib/domain/cancellations/approval'

const desk = setDeskForEach()
const ignore = () => undefined

it('saves what is corrected after a currency stood there twice', async () => {
  desk.answerWith(() => ({ json: {} }))
  const onClose = vi.fn<() => void>()
  const limits = ['100', '200'].map((amount) => ({ currency: 'DKK', amount }))
  render(
    <AppRouterContext value={router}>
      <AppConfigProvider config={facts}>
        <ApprovalRuleForm
          rule={{ everyBulk: false, limits, hours: 24 }}
          onSaved={ignore}
          onConflict={ignore}
          onClose={onClose}
        />
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
        <ApprovalRuleForm
          rule={{ everyBulk: false, limits, hours: 24 }}
          onSaved={ignore}
          onConflict={ignore}
          onClose={onClose}
        />
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
        <ApprovalRuleSection rule={{ value: { everyBulk: false, limits, hours: 24 } }} mayChange />
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
        <ApprovalRuleForm
          rule={null}
          onSaved={ignore}
          onConflict={ignore}
          onClose={() => atTheEnd.push(asksToStay())}
        />
      </AppConfigProvider>
    </AppRouterContext>,
  )
  fireEvent.click(screen.getByRole('checkbox'))
  await vi.waitFor(() => expect(asksToStay()).toBe(true))
  fireEvent.submit(screen.getByRole('form'))
  await vi.waitFor(() => expect(atTheEnd).toEqual([false]))
})

const section = (rule: ApprovalRule | null) => (
  <AppRouterContext value={router}>
    <AppConfigProvider config={facts}>
      <ApprovalRuleSection rule={{ value: rule }} mayChange />
    </AppConfigProvider>
  </AppRouterContext>
)
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const everyBulk = () => screen.getByRole<HTMLInputElement>('checkbox', { name: /Every bulk/u })

function submitEveryBulk(): void {
  press('Change approval by a second person')
  fireEvent.click(everyBulk())
  fireEvent.submit(screen.getByRole('form'))
}

it('a rule is saved over the one that was shown when it was opened, and kept where another took its place', async () => {
  const conflict = { type: 'urn:debitdesk:conflict', title: 'x', status: 409, detail: 'Someone else was first.' }
  desk.answerWith(() => ({ status: 409, json: conflict }))
  const { rerender } = render(section(null))
  press('Change approval by a second person')
  fireEvent.click(everyBulk())
  // The page is rendered again under the open form.
  rerender(section({ everyBulk: false, limits: [{ currency: 'DKK', amount: '7' }], hours: 24 }))
  fireEvent.submit(screen.getByRole('form'))
  expect((await screen.findByRole('alert')).textContent).toContain('Someone else was first.')
  expect(desk.arrived.map(({ body }) => body)).toMatchObject([{ before: null, rule: { everyBulk: true } }])
  expect(everyBulk().checked).toBe(true)
  press('Keep as it is')
  expect(screen.getByText(/above 7/u)).toBeTruthy()
})

it('a rule that is saved may be changed again before the page knows of it', async () => {
  desk.answerWith(() => ({ json: {} }))
  render(section(null))
  submitEveryBulk()
  await vi.waitFor(() => expect(screen.queryByRole('form')).toBeNull())
  submitEveryBulk()
  await vi.waitFor(() => expect(desk.arrived).toHaveLength(2))
  expect(desk.arrived[1]?.body).toMatchObject({ before: { everyBulk: true }, rule: null })
})

it('a rule that was saved here is no longer shown once somebody else has switched it off', async () => {
  desk.answerWith(() => ({ json: {} }))
  const { rerender } = render(section(null))
  submitEveryBulk()
  await vi.waitFor(() => expect(screen.queryByRole('form')).toBeNull())
  const isOn = () => document.querySelector('[data-approval-rule]')?.getAttribute('data-approval-rule')
  rerender(section({ everyBulk: true, limits: [], hours: 24 }))
  expect(isOn()).toBe('on')
  rerender(section(null))
  expect(isOn()).toBe('off')
})

it('nor where that happened before the page knew of it', async () => {
  desk.answerWith(() => ({ json: {} }))
  const { rerender } = render(section(null))
  submitEveryBulk()
  await vi.waitFor(() => expect(document.querySelector('[data-approval-rule="on"]')).toBeTruthy())
  rerender(section(null))
  expect(document.querySelector('[data-approval-rule="off"]')).toBeTruthy()
})

it('nor once a change of it is refused, where the page has not been rendered with it', async () => {
  desk.answerWith(() => ({ json: {} }))
  render(section(null))
  submitEveryBulk()
  await vi.waitFor(() => expect(screen.queryByRole('form')).toBeNull())
  desk.answerWith(() => ({ status: 409, json: { type: 'urn:debitdesk:conflict', title: 'x', status: 409 } }))
  submitEveryBulk()
  await screen.findByRole('alert')
  press('Keep as it is')
  expect(document.querySelector('[data-approval-rule="off"]')).toBeTruthy()
})

it('each part of what is wrong with an amount is a sentence', async () => {
  render(
    <AppRouterContext value={router}>
      <AppConfigProvider config={facts}>
        <ApprovalRuleForm
          rule={{ everyBulk: false, limits: [{ currency: 'DKK', amount: '1' }], hours: 24 }}
          onSaved={ignore}
          onConflict={ignore}
          onClose={ignore}
        />
      </AppConfigProvider>
    </AppRouterContext>,
  )
  for (const name of [/Currency.*1/u, /amount 1/u])
    fireEvent.change(screen.getByRole('textbox', { name }), { target: { value: '' } })
  fireEvent.submit(screen.getByRole('form'))
  await vi.waitFor(() =>
    expect(document.body.textContent).toContain(
      'Currency must be a currency code, for example DKK. Amount must be a number such as 25000.',
    ),
  )
})
