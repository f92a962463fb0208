import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type DeskServer, startDeskServer } from '@/lib/client/testing/desk-server'
import { facts } from '../data-table/testing/render-rows'
import { takePendingToasts } from '../feedback/toast-store'
import { AppConfigProvider } from '../layout/app-config'
import { QueryProvider } from '../layout/query-provider'
import type { NoteView } from '@/lib/domain/notes'
import { NotesList } from './notes-list'
import { NotesSection } from './notes-section'

let desk: DeskServer

beforeEach(async () => {
  sessionStorage.clear()
  desk = await startDeskServer()
})
afterEach(async () => {
  cleanup()
  await desk.close()
})

const makeNote = (): NoteView => ({
  noteId: 'n1',
  kind: 'payment',
  objectId: 'p1',
  objectName: 'INV-1',
  text: 'Call the payer',
  author: 'ann@debitdesk.example',
  assignee: null,
  dueDay: null,
  createdAt: '2026-11-20T10:00:00.000Z',
  doneAt: null,
  doneBy: null,
  mayChange: true,
  mayDelete: true,
})

const show = () =>
  render(
    <AppConfigProvider config={facts}>
      <QueryProvider>
        <NotesList kind="payment" objectId="p1" objectName="INV-1" onFocusLost={() => undefined} />
      </QueryProvider>
    </AppConfigProvider>,
  )

it.each([
  ['emptied', null, ''],
  ['left to the next note that was begun meanwhile', 'Second', 'Second'],
])('once a note is added, the field is %s', async (_how, typed, kept) => {
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  desk.answerWith(async ({ method }) => {
    if (method === 'POST') await held
    return { json: { notes: [], people: [], mayWrite: true } }
  })
  show()
  const field = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'New note' })
  fireEvent.change(field, { target: { value: 'First' } })
  fireEvent.click(screen.getByRole('button', { name: 'Add note' }))
  await waitFor(() => expect(desk.arrived.some(({ method }) => method === 'POST')).toBe(true))
  if (typed !== null) fireEvent.change(field, { target: { value: typed } })
  release()
  await waitFor(() => expect(takePendingToasts()).toHaveLength(1))
  await waitFor(() => expect(field.value).toBe(kept))
  cleanup()
  show()
  expect((await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'New note' })).value).toBe(kept)
})

it('who a note is for and when it is due are kept with its text, as long as they are in the team', async () => {
  let people = [{ userId: 'u1', email: 'bo@debitdesk.example' }]
  desk.answerWith(() => ({ json: { notes: [], people, mayWrite: true } }))
  show()
  fireEvent.change(await screen.findByRole('combobox', { name: 'Assign to' }), { target: { value: 'u1' } })
  fireEvent.change(screen.getByLabelText('Due'), { target: { value: '2026-12-01' } })
  cleanup()
  show()
  expect((await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Assign to' })).value).toBe('u1')
  expect(screen.getByLabelText<HTMLInputElement>('Due').value).toBe('2026-12-01')
  cleanup()
  people = []
  show()
  expect((await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Assign to' })).value).toBe('')
})

it('a note that is deleted twice, or by somebody else, is deleted', async () => {
  let notes = [makeNote()]
  desk.answerWith(({ method }) => {
    if (method === 'GET') return { json: { notes, people: [], mayWrite: true } }
    notes = []
    return { status: 404, json: { type: 'urn:debitdesk:not-found', title: 'Not found', status: 404 } }
  })
  show()
  fireEvent.click(await screen.findByRole('button', { name: 'Delete note: Call the payer' }))
  const button = screen.getByRole('button', { name: 'Yes, delete note' })
  fireEvent.click(button)
  await waitFor(() => expect(button.isConnected).toBe(false))
  expect(screen.queryByRole('alert')).toBeNull()
  await waitFor(() => expect(takePendingToasts().map(({ title }) => title)).toEqual(['Note deleted']))
})

it('a note is deleted only once that is confirmed', async () => {
  desk.answerWith(() => ({ json: { notes: [makeNote()], people: [], mayWrite: true } }))
  show()
  fireEvent.click(await screen.findByRole('button', { name: 'Delete note: Call the payer' }))
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Yes, delete note' }))
  fireEvent.click(screen.getByRole('button', { name: 'Keep note' }))
  const opener = await screen.findByRole('button', { name: 'Delete note: Call the payer' })
  await waitFor(() => expect(document.activeElement).toBe(opener))
  expect(desk.arrived.some(({ method }) => method === 'DELETE')).toBe(false)
})

it('a note that is done, or open again, is announced', async () => {
  let note = makeNote()
  desk.answerWith(({ method, body }) => {
    if (method === 'PATCH')
      note = { ...note, doneAt: (body as { isDone: boolean }).isDone ? '2026-11-20T11:00:00.000Z' : null }
    return { json: { notes: [note], people: [], mayWrite: true } }
  })
  show()
  takePendingToasts()
  fireEvent.click(await screen.findByRole('button', { name: 'Mark as done: Call the payer' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Reopen: Call the payer' }))
  await screen.findByRole('button', { name: 'Mark as done: Call the payer' })
  expect(takePendingToasts().map(({ title }) => title)).toEqual(['Note marked as done', 'Note reopened'])
})

it('a note whose reply was lost is sent again under the same id, also after a reload, and looked for meanwhile', async () => {
  let posts = 0
  desk.answerWith(({ method }) => {
    if (method === 'POST') posts += 1
    return method === 'POST' && posts < 3 ? { hangUp: true } : { json: { notes: [], people: [], mayWrite: true } }
  })
  const sent = () => desk.arrived.flatMap(({ method, body }) => (method === 'POST' ? [body as { noteId: string }] : []))
  const add = async (text?: string) => {
    const field = await screen.findByRole('textbox', { name: 'New note' })
    if (text !== undefined) fireEvent.change(field, { target: { value: text } })
    const button = screen.getByRole('button', { name: 'Add note' })
    await waitFor(() => expect(button.hasAttribute('aria-disabled')).toBe(false))
    fireEvent.click(button)
  }
  show()
  await add('First')
  await screen.findByText(/^We don’t know whether the note was added/u)
  await waitFor(() => expect(desk.arrived.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET']))
  cleanup()
  show()
  await add()
  await screen.findByText(/^We don’t know whether the note was added/u)
  await add()
  await waitFor(() => expect(takePendingToasts()).toHaveLength(1))
  await add('First')
  await waitFor(() => expect(sent()).toHaveLength(4))
  const [first, second, third, next] = sent().map(({ noteId }) => noteId)
  expect([second, third]).toEqual([first, first])
  expect(next).not.toBe(first)
})

it('a note whose reply was lost is added once the list shows it; the same words later are another note', async () => {
  let notes: NoteView[] = []
  desk.answerWith(({ method, body }) => {
    if (method === 'GET') return { json: { notes, people: [], mayWrite: true } }
    const { noteId, text } = body as { noteId: string; text: string }
    notes = [{ ...makeNote(), noteId, text }, ...notes]
    return { hangUp: true }
  })
  const sent = () => desk.arrived.flatMap(({ method, body }) => (method === 'POST' ? [body as { noteId: string }] : []))
  show()
  takePendingToasts()
  const field = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'New note' })
  const add = () => {
    fireEvent.change(field, { target: { value: 'Called' } })
    fireEvent.click(screen.getByRole('button', { name: 'Add note' }))
  }
  add()
  await screen.findByText('Called', { selector: 'li *' })
  await waitFor(() => expect([field.value, screen.queryByRole('alert')]).toEqual(['', null]))
  expect(takePendingToasts().map(({ title }) => title)).toEqual(['Note added'])
  add()
  await waitFor(() => expect(sent()).toHaveLength(2))
  expect(sent()[1]?.noteId).not.toBe(sent()[0]?.noteId)
})

it('Ctrl with Enter adds a note', async () => {
  desk.answerWith(() => ({ json: { notes: [], people: [], mayWrite: true } }))
  show()
  const field = await screen.findByRole('textbox', { name: 'New note' })
  fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true })
  fireEvent.change(field, { target: { value: 'First' } })
  fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true })
  await waitFor(() =>
    expect(desk.arrived.flatMap(({ method, body }) => (method === 'POST' ? [body] : []))).toMatchObject([
      { text: 'First' },
    ]),
  )
})

it.each(['Delete note: Call the payer', 'Mark as done: Call the payer'])(
  'the focus stays in the section when a note disappears by “%s”',
  async (action) => {
    let notes = [makeNote()]
    desk.answerWith(({ method }) => {
      if (method !== 'GET') notes = []
      return { json: { notes, people: [], mayWrite: true } }
    })
    render(
      <AppConfigProvider config={facts}>
        <QueryProvider>
          <NotesSection kind="payment" objectId="p1" objectName="INV-1" mayWrite />
        </QueryProvider>
      </AppConfigProvider>,
    )
    const button = await screen.findByRole('button', { name: action })
    button.focus()
    fireEvent.click(button)
    fireEvent.click(screen.queryByRole('button', { name: 'Yes, delete note' }) ?? document.body)
    await waitFor(() => expect(screen.queryByText('Call the payer')).toBeNull())
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Notes' }))
  },
)

it('a task that is due on a day that has passed says so', async () => {
  desk.answerWith(() => ({
    json: { notes: [], people: [{ userId: 'u1', email: 'ann@debitdesk.example' }], mayWrite: true },
  }))
  show()
  fireEvent.change(await screen.findByLabelText('Assign to'), { target: { value: 'u1' } })
  const due = screen.getByLabelText('Due')
  const describe = () => document.getElementById(due.getAttribute('aria-describedby') ?? '')?.textContent
  fireEvent.change(due, { target: { value: '2020-01-31' } })
  expect(describe()).toBe('This day has passed.')
  fireEvent.change(due, { target: { value: '2999-01-31' } })
  expect(describe()).toBeUndefined()
})
