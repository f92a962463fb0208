import { fireEvent, render, screen } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { expect, it, vi } from 'vitest'
import * as z from 'zod'
import { EndpointForm } from './endpoint-form'
import { LeaveGuard } from './leave-guard'
import { TextField, useEndpointForm } from './use-endpoint-form'
import { CallError } from '@/lib/client/api-client'
import { keep, readKept } from '@/lib/client/kept-text'
import { router } from '@/lib/client/testing/page'

/** Whether the browser would ask before the page is left. */
function asksToStay(): boolean {
  return !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
}

it('nobody is in doubt about what was never sent, because a question before it failed, but about an earlier attempt', async () => {
  let isAsked = false
  const keys: string[] = []
  function NameForm() {
    const { form, problem, onSubmit } = useEndpointForm({
      schema: z.strictObject({ name: z.string() }),
      defaults: { name: 'Nordlys' },
      fields: ['name'],
      toBody: (values) => values,
      prepare: (body) => {
        if (isAsked) return Promise.resolve(body)
        return Promise.reject(keys.length > 0 ? new CallError(401, 'signed-out') : new CallError(0, 'desk-unreachable'))
      },
      send: (_, key) => {
        keys.push(key)
        const refusal = [null, null, new CallError(403, 'step-up'), new CallError(401, 'signed-out')][keys.length]
        return Promise.reject(refusal ?? new CallError(0, 'desk-unreachable'))
      },
      onDone: () => undefined,
    })
    return (
      <form onSubmit={(event) => void onSubmit(event)}>
        <TextField form={form} name="name" label="Name" />
        <button>Save</button>
        {problem ? <output>{`${problem.problem.code} ${String(problem.isLost)}`}</output> : null}
      </form>
    )
  }
  render(<NameForm />)
  const press = () => fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  const waitForProblem = (text: string) => vi.waitFor(() => expect(screen.getByRole('status').textContent).toBe(text))
  press()
  await waitForProblem('desk-unreachable false')
  isAsked = true
  press()
  await waitForProblem('desk-unreachable true')
  isAsked = false
  press()
  await waitForProblem('signed-out true')
  isAsked = true
  press()
  await waitForProblem('step-up true')
  press()
  await waitForProblem('signed-out true')
  press()
  await waitForProblem('desk-unreachable true')
  expect(new Set(keys).size).toBe(1)
  expect(keys).toHaveLength(4)
})

it('what is saved is left without being asked, also where that happens at once', async () => {
  const asked: boolean[] = []
  function NameForm() {
    const { form, onSubmit } = useEndpointForm({
      schema: z.strictObject({ name: z.string() }),
      defaults: { name: '' },
      fields: ['name'],
      toBody: (values) => values,
      send: () => Promise.resolve(null),
      onDone: () => asked.push(asksToStay()),
    })
    return (
      <form onSubmit={(event) => void onSubmit(event)}>
        {form.formState.isDirty ? <LeaveGuard /> : null}
        <TextField form={form} name="name" label="Name" />
        <button>Save</button>
      </form>
    )
  }
  render(
    <AppRouterContext value={router}>
      <NameForm />
    </AppRouterContext>,
  )
  fireEvent.change(screen.getByRole('textbox', { name: 'Name' }), { target: { value: 'Nordlys' } })
  await vi.waitFor(() => expect(asksToStay()).toBe(true))
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await vi.waitFor(() => expect(asked).toEqual([false]))
})

it('a fault in one item of a list is said at the list’s field', async () => {
  const sent: unknown[] = []
  function StatesForm() {
    const { form, onSubmit } = useEndpointForm({
      schema: z.strictObject({ states: z.array(z.string().max(5)) }),
      defaults: { states: '' },
      fields: ['states'],
      toBody: ({ states }) => ({ states: states.split(',') }),
      send: (body) => {
        sent.push(body)
        return Promise.resolve(null)
      },
      onDone: () => undefined,
    })
    return (
      <form onSubmit={(event) => void onSubmit(event)}>
        <TextField form={form} name="states" label="States" />
        <button>Save</button>
      </form>
    )
  }
  render(<StatesForm />)
  const field = screen.getByRole('textbox', { name: 'States' })
  fireEvent.change(field, { target: { value: 'open,much too long' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await vi.waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'))
  await vi.waitFor(() => expect(document.activeElement).toBe(field))
  expect(document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent).toMatch(/^States /u)
  expect(sent).toEqual([])
})

it.each<[what: string, options: { staysOpen?: boolean }, times: number]>([
  ['nothing is sent twice while the page that comes after it is still on its way', {}, 1],
  ['a form that stays takes the next one', { staysOpen: true }, 2],
])('%s', async (_, options, times) => {
  const keys: string[] = []
  const onDone = vi.fn<() => void>()
  function NameForm() {
    const { form, isSending, onSubmit } = useEndpointForm({
      ...options,
      schema: z.strictObject({ name: z.string() }),
      defaults: { name: 'Nordlys' },
      fields: ['name'],
      toBody: (values) => values,
      send: (_body, key) => Promise.resolve(keys.push(key)),
      onDone,
    })
    return (
      <form onSubmit={(event) => void onSubmit(event)}>
        <TextField form={form} name="name" label="Name" />
        <button>{isSending ? 'Saving' : 'Save'}</button>
      </form>
    )
  }
  render(<NameForm />)
  const press = () => fireEvent.submit(screen.getByRole('textbox'))
  press()
  await vi.waitFor(() => expect(onDone).toHaveBeenCalledOnce())
  await screen.findByRole('button', { name: times === 1 ? 'Saving' : 'Save' })
  press()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect([keys.length, new Set(keys).size]).toEqual([times, times])
})

/** A form whose requests fail one after the other as `failures` tell; returns the keys that were sent. */
function renderDoubtfulForm(failures: readonly CallError[], keptAs?: string): string[] {
  const keys: string[] = []
  function NameForm() {
    const state = useEndpointForm({
      schema: z.strictObject({ name: z.string() }),
      defaults: { name: '' },
      repeat: 'doubtful',
      ...(keptAs !== undefined && { keptAs }),
      fields: ['name'],
      toBody: (values) => values,
      send: (_, key) => {
        keys.push(key)
        const failure = failures[keys.length - 1]
        return failure ? Promise.reject(failure) : Promise.resolve(null)
      },
      onDone: () => undefined,
    })
    return (
      <EndpointForm state={state} action="Save" cancelHref="/">
        <TextField form={state.form} name="name" label="Name" />
      </EndpointForm>
    )
  }
  render(
    <AppRouterContext value={router}>
      <NameForm />
    </AppRouterContext>,
  )
  return keys
}

function submitName(name: string): void {
  fireEvent.change(screen.getByRole('textbox', { name: 'Name' }), { target: { value: name } })
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
}

it('another request that is refused takes nothing from the doubt about the one before it', async () => {
  const keys = renderDoubtfulForm([new CallError(0, 'desk-unreachable'), new CallError(409, 'conflict')])
  submitName('Nordlys')
  await screen.findByText(/whether a request from this form was carried out/u)
  submitName('Nordlys A/S')
  fireEvent.click(await screen.findByRole('button', { name: 'Send this too' }))
  await vi.waitFor(() => expect(keys).toHaveLength(2))
  await screen.findByText(/whether a request from this form was carried out/u)
  submitName('Nordlys')
  fireEvent.click(await screen.findByRole('button', { name: 'Send again' }))
  await vi.waitFor(() => expect(keys).toHaveLength(3))
  expect(keys[2]).toBe(keys[0])
  expect(keys[1]).not.toBe(keys[0])
})

it('of two requests in doubt, one that is answered leaves the other', async () => {
  const unreachable = new CallError(0, 'desk-unreachable')
  const keys = renderDoubtfulForm([unreachable, unreachable, new CallError(409, 'conflict')])
  const send = async (name: string, answer: string | null) => {
    const count = keys.length + 1
    await vi.waitFor(() => expect(screen.getByRole('button', { name: 'Save' }).ariaDisabled).toBeNull())
    submitName(name)
    if (answer !== null) fireEvent.click(await screen.findByRole('button', { name: answer }))
    await vi.waitFor(() => expect(keys).toHaveLength(count))
  }
  await send('Nordlys', null)
  await send('Nordlys A/S', 'Send this too')
  await send('Nordlys A/S', 'Send again')
  await send('Nordlys', 'Send again')
  expect(keys.map((key) => keys.indexOf(key))).toEqual([0, 1, 1, 0])
})

it('a reply that could not be read leaves in doubt what it answered', async () => {
  renderDoubtfulForm([new CallError(200, 'desk-bad-reply')])
  submitName('Nordlys')
  const doubt = await screen.findByText(/^We don’t know whether a request/u)
  expect(doubt.textContent).not.toContain('Try again')
})

it('the doubt about a request from before is over once somebody has checked', async () => {
  keep('lost name ', { text: '{"name":"Nordlys"}', key: 'a-key' })
  const keys = renderDoubtfulForm([], 'name')
  fireEvent.click(await screen.findByRole('button', { name: 'I’ve checked' }))
  expect(screen.queryByRole('alert')).toBeNull()
  expect(readKept('lost name ')).toBeUndefined()
  submitName('Nordlys')
  await vi.waitFor(() => expect(keys).toHaveLength(1))
  expect(keys).not.toContain('a-key')
})
