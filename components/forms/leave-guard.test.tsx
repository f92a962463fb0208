import { fireEvent, render, screen } from '@testing-library/react'
import { AppRouterContext, type AppRouterInstance } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { beforeEach, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { leave } from '@/lib/client/page-lifecycle'
import { router } from '@/lib/client/testing/page'
import { Anchor } from '../layout/link'
import { LeaveGuard, waitForRemoval } from './leave-guard'
import { TextField, useEndpointForm } from './use-endpoint-form'

beforeEach(() => {
  history.pushState(null, '', '/customers')
  history.pushState(null, '', '/customers/new')
})
function NameForm({ onDone }: { onDone: () => void }) {
  const { form, onSubmit } = useEndpointForm({
    schema: z.strictObject({ name: z.string() }),
    defaults: { name: '' },
    fields: ['name'],
    toBody: (values) => values,
    send: () => Promise.resolve(null),
    onDone,
  })
  return (
    <form onSubmit={(event) => void onSubmit(event)}>
      {form.formState.isDirty ? <LeaveGuard /> : null}
      <TextField form={form} name="name" label="Name" />
      <button>Save</button>
      <Anchor href="/elsewhere">Elsewhere</Anchor>
      <a href="#content">Skip</a>
    </form>
  )
}

function open(onDone: () => void = () => undefined, used: AppRouterInstance = router) {
  return render(
    <AppRouterContext value={used}>
      <NameForm onDone={onDone} />
    </AppRouterContext>,
  )
}

const asksToStay = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))

async function type(name: string): Promise<void> {
  fireEvent.change(screen.getByRole('textbox', { name: 'Name' }), { target: { value: name } })
  await vi.waitFor(() => expect(asksToStay()).toBe(name !== ''))
  await waitForRemoval()
}

/** Presses Back and waits for the entry that it leads to. */
async function goBack(): Promise<void> {
  await new Promise<void>((resolve) => {
    window.addEventListener('popstate', () => setTimeout(resolve), { once: true })
    history.back()
  })
}

it('Back leads before a form that was saved, also where it was dirty, clean and dirty again', async () => {
  const onDone = vi.fn<() => void>(() => history.replaceState(null, '', '/customers/1'))
  open(onDone)
  await type('Nord')
  await type('')
  await type('Nordlys')
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await vi.waitFor(() => expect(onDone).toHaveBeenCalledOnce())
  await goBack()
  expect(location.pathname).toBe('/customers')
})

it('asks before Back leaves a dirty form, each time, and leaves when told to', async () => {
  open()
  await type('Nordlys')
  for (let time = 0; time < 2; time += 1) {
    await goBack()
    expect(location.pathname).toBe('/customers/new')
    fireEvent.click(await screen.findByRole('button', { name: 'Stay' }))
  }
  await goBack()
  fireEvent.click(await screen.findByRole('button', { name: 'Leave' }))
  await vi.waitFor(() => expect(location.pathname).toBe('/customers'))
})

it('one press of Back after leaving by a link leads to the form, the next before it', async () => {
  const { unmount } = open(undefined, { ...router, push: (page) => history.pushState(null, '', page) })
  await type('Nordlys')
  fireEvent.click(screen.getByRole('link', { name: 'Elsewhere' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Leave' }))
  await vi.waitFor(() => expect(location.pathname).toBe('/elsewhere'))
  unmount()
  await goBack()
  expect(location.pathname).toBe('/customers/new')
  await goBack()
  expect(location.pathname).toBe('/customers')
})

it('Back asks once where two forms are dirty', async () => {
  open()
  await type('Nordlys')
  render(
    <AppRouterContext value={router}>
      <LeaveGuard />
    </AppRouterContext>,
  )
  await goBack()
  fireEvent.click(await screen.findByRole('button', { name: 'Leave' }))
  await vi.waitFor(() => expect(location.pathname).toBe('/customers'))
})

it('one press of Back leaves a form that is clean again', async () => {
  open()
  await type('Nord')
  await type('')
  await goBack()
  await vi.waitFor(() => expect(location.pathname).toBe('/customers'))
  expect(screen.queryByRole('alertdialog')).toBeNull()
})

it('a form is saved also where its entry cannot be removed', async () => {
  const onDone = vi.fn<() => void>()
  open(onDone)
  await type('Nordlys')
  vi.spyOn(history, 'back').mockReturnValueOnce()
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await vi.waitFor(() => expect(onDone).toHaveBeenCalledOnce(), { timeout: 5_000 })
})

it('one press of Back leaves the page of a form that was closed', async () => {
  const { unmount } = open()
  await type('Nordlys')
  unmount()
  await vi.waitFor(() => expect(history.state).toBeNull())
  await goBack()
  expect(location.pathname).toBe('/customers')
})

/** As Next.js writes an entry when it reads its page again beside a form. */
const refresh = () => history.replaceState({ __NA: true }, '')

it('one press of Back leaves the page of a form that was closed, also where the page was read again beside it', async () => {
  const { unmount } = open()
  await type('Nordlys')
  refresh()
  unmount()
  await waitForRemoval()
  await goBack()
  expect(location.pathname).toBe('/customers')
})

it('leaving by a link leads past the guard’s entry, also where the page was read again beside the form', async () => {
  const { unmount } = open(undefined, { ...router, push: (page) => history.pushState(null, '', page) })
  await type('Nordlys')
  refresh()
  fireEvent.click(screen.getByRole('link', { name: 'Elsewhere' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Leave' }))
  await vi.waitFor(() => expect(location.pathname).toBe('/elsewhere'))
  unmount()
  await goBack()
  expect(location.pathname).toBe('/customers/new')
  await goBack()
  expect(location.pathname).toBe('/customers')
})

it('Back leads from a part of the page to the form without a question, also where the page was read again before', async () => {
  const { unmount } = open()
  await type('Nordlys')
  refresh()
  const following = new Promise((resolve) => window.addEventListener('popstate', resolve, { once: true }))
  fireEvent.click(screen.getByRole('link', { name: 'Skip' }))
  await following
  expect(location.hash).toBe('#content')
  await goBack()
  expect([location.hash, screen.queryByRole('alertdialog')]).toEqual(['', null])
  // Once more read again, its entry is still known, and goes with the form.
  refresh()
  unmount()
  await waitForRemoval()
  await goBack()
  expect(location.pathname).toBe('/customers')
})

it('Back asks once where a second form becomes dirty after the page was read again', async () => {
  open()
  await type('Nordlys')
  refresh()
  render(
    <AppRouterContext value={router}>
      <LeaveGuard />
    </AppRouterContext>,
  )
  await goBack()
  fireEvent.click(await screen.findByRole('button', { name: 'Leave' }))
  await vi.waitFor(() => expect(location.pathname).toBe('/customers'))
})

it('asks before the page is loaded again, and says what becomes of what was typed', async () => {
  open()
  await type('Nordlys')
  const reload = vi.fn<() => Promise<boolean>>(() => Promise.resolve(false))
  leave(reload, { isReload: true })
  expect((await screen.findByRole('alertdialog')).textContent).toContain('discard what you typed')
  fireEvent.click(screen.getByRole('button', { name: 'Keep what I typed' }))
  expect(reload).not.toHaveBeenCalled()
  leave(reload, { isReload: true })
  fireEvent.click(await screen.findByRole('button', { name: 'Reload' }))
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce())
  await vi.waitFor(() => expect(asksToStay()).toBe(true))
})

it('whoever has agreed to leave by code is not asked again by the browser, unless that led nowhere', async () => {
  open()
  await type('Nordlys')
  let end: (isLeft: boolean) => void = () => undefined
  leave(() => new Promise<boolean>((resolve) => (end = resolve)))
  fireEvent.click(await screen.findByRole('button', { name: 'Leave' }))
  await vi.waitFor(() => expect(asksToStay()).toBe(false))
  end(false)
  await vi.waitFor(() => expect(asksToStay()).toBe(true))
  await goBack()
  expect(location.pathname).toBe('/customers/new')
  await screen.findByRole('button', { name: 'Stay' })
  leave(() => Promise.resolve(true))
  fireEvent.click(await screen.findByRole('button', { name: 'Leave' }))
  await vi.waitFor(() => expect(asksToStay()).toBe(false))
})
