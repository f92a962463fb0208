import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { AppRouterContext, type AppRouterInstance } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { expect, it, vi } from 'vitest'
import { facts } from '@/components/data-table/testing/render-rows'
import { hasPendingToasts, takePendingToasts } from '@/components/feedback/toast-store'
import { AppConfigProvider } from '@/components/layout/app-config'
import { router, setDeskForEach } from '@/lib/client/testing/page'
import { NewBulk } from './new-bulk'

const desk = setDeskForEach()

function open(used: AppRouterInstance = router): void {
  render(
    <AppRouterContext value={used}>
      <AppConfigProvider config={facts}>
        <NewBulk />
      </AppConfigProvider>
    </AppRouterContext>,
  )
}

const text = 'PMT-1;søgt\r\nPMT-2;'

it.each([
  ['UTF-8', Buffer.from(text)],
  ['UTF-16, “Unicode text” of Excel', Buffer.from(`\uFEFF${text}`, 'utf16le')],
  ['UTF-16, the other byte first', Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
  ['Windows-1252', Buffer.from(text, 'latin1')],
])('reads a list in %s', async (_encoding, bytes) => {
  open()
  fireEvent.change(screen.getByLabelText('File'), {
    target: { files: [new File([new Uint8Array(bytes)], 'list.txt')] },
  })
  const field = screen.getByLabelText<HTMLTextAreaElement>(/IDs/iu)
  await vi.waitFor(() => expect(field.value.replaceAll('\n', '\r\n')).toContain(text))
})

it('a list that is checked is left without being asked, and Back does not lead into it again', async () => {
  /** The pages that were opened, with the entry of the history they were opened from. */
  const opened: [page: string, entry: unknown][] = []
  desk.answerWith(() => ({ json: { id: 'b1' } }))
  open({ ...router, push: (page) => opened.push([page, history.state]) })
  fireEvent.change(screen.getByLabelText(/IDs/iu), { target: { value: 'PMT-1' } })
  await vi.waitFor(() => expect(history.state).toEqual({ guardsForm: true }))
  fireEvent.click(screen.getByRole('button', { name: 'Check the list' }))
  await vi.waitFor(() => expect(opened).toEqual([['/payments/bulk/b1', null]]))
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(desk.arrived.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /api/desk/bulk'])
})

it('a list whose reply was lost is asked for again under the same key, as the page says', async () => {
  const keys = () => desk.arrived.map(({ headers }) => headers['idempotency-key'])
  desk.answerWith(() => (keys().length < 2 ? { hangUp: true } : { json: { id: 'b1' } }))
  open()
  fireEvent.change(screen.getByLabelText(/IDs/iu), { target: { value: 'PMT-1' } })
  const check = () => fireEvent.click(screen.getByRole('button', { name: 'Check the list' }))
  check()
  await screen.findByText(/^We don’t know whether the list was created/u)
  check()
  await vi.waitFor(() => expect(keys()).toHaveLength(2))
  expect(keys()[1]).toBe(keys()[0])
})

it('leaving a list that was typed and not checked yet asks first', async () => {
  const asksToStay = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  open()
  expect(asksToStay()).toBe(false)
  fireEvent.change(screen.getByLabelText(/IDs/iu), { target: { value: 'PMT-1' } })
  await vi.waitFor(() => expect(asksToStay()).toBe(true))
})

it('whoever leaves while the list is created stays where they are, and finds it by a toast', async () => {
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  desk.answerWith(async () => {
    await held
    return { json: { id: 'b1' } }
  })
  const opened: string[] = []
  open({ ...router, push: (page) => opened.push(page) })
  fireEvent.change(screen.getByLabelText(/IDs/iu), { target: { value: 'PMT-1' } })
  fireEvent.click(screen.getByRole('button', { name: 'Check the list' }))
  await vi.waitFor(() => expect(desk.arrived).toHaveLength(1))
  takePendingToasts()
  cleanup()
  release()
  await vi.waitFor(() => expect(hasPendingToasts()).toBe(true))
  expect([takePendingToasts().map(({ link }) => link?.href), opened]).toEqual([['/payments/bulk/b1'], []])
})

it.each([
  [`id;reason\n\np-1;x\np-2;${'x'.repeat(501)}`, 'Line 4: a reason can have at most 500 characters.'],
  [`p-1\n\n${'x'.repeat(501)}`, 'Line 3: an id, handle or reference can have at most 500 characters.'],
  ['INV-1,INV-2', /^Line 1: “INV-2” may be another id\./u],
  ['INV-1\n;x', /^Line 2 has no id\./u],
  ['INV-1;a;b\nINV-2;x', /^Line 1 has more columns than it should\./u],
  ['Kunde;Beløb\n1001;250', /^The first line doesn’t say which column holds the ids\./u],
])('what is wrong with a list is said of its line, at the field, and nothing is sent: %s', (list, flaw) => {
  open()
  const field = screen.getByLabelText(/IDs/iu)
  fireEvent.change(field, { target: { value: list } })
  expect(field.getAttribute('aria-invalid')).toBe('true')
  expect(document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent).toMatch(flaw)
  fireEvent.click(screen.getByRole('button', { name: 'Check the list' }))
  expect(desk.arrived).toEqual([])
  fireEvent.change(field, { target: { value: 'p-1' } })
  expect(field.getAttribute('aria-invalid')).toBeNull()
})

it.each([
  ['id;Amount;Due;Reason\np-1;100;1.12.2026;x', 'Columns that aren’t used: Amount and Due.'],
  ['Row;Given;Payment id\n1;p-0;\n2;p-1;p-1\n3;x;', 'Lines 2 and 4 have no payment id and are left out.'],
  ['p-1;100;Pending', 'Left out of line 1: 100 and Pending.'],
  ['p-1\t100\tx\np-2\t50\ty', 'Left out of line 1, and likewise of 1 more line: 100 and x.'],
])('what of a list is not used is said: %s', async (list, said) => {
  desk.answerWith(() => ({ json: { id: 'b1' } }))
  open()
  fireEvent.change(screen.getByLabelText(/IDs/iu), { target: { value: list } })
  expect(screen.getByRole('status').textContent).toContain(said)
  fireEvent.click(screen.getByRole('button', { name: 'Check the list' }))
  await vi.waitFor(() => expect(desk.arrived).toHaveLength(1))
  const [{ body } = { body: null }] = desk.arrived
  const reason = list.includes('Reason') ? 'x' : null
  expect(body).toMatchObject({ kind: 'list', rows: [{ given: 'p-1', reason }, ...(list.includes('p-2') ? [{}] : [])] })
  expect(JSON.stringify(body)).not.toContain('100')
})

it('a workbook is no list, and said to be one at the field', async () => {
  open()
  const field = screen.getByLabelText('File')
  const bytes = new Uint8Array([0x50, 0x4b, 3, 4, 20])
  fireEvent.change(field, { target: { files: [new File([bytes], 'list.xlsx')] } })
  expect((await screen.findByRole('alert')).textContent).toMatch(/^This is a workbook or another packed file\./u)
  expect(field.getAttribute('aria-describedby')?.split(' ')).toContain(screen.getByRole('alert').id)
  expect(screen.getByLabelText<HTMLTextAreaElement>(/IDs/iu).value).toBe('')
})

it('a file that cannot be read leaves no rows of the one before', async () => {
  open()
  const choose = (bytes: Uint8Array<ArrayBuffer>) =>
    fireEvent.change(screen.getByLabelText('File'), { target: { files: [new File([bytes], 'list')] } })
  const field = screen.getByLabelText<HTMLTextAreaElement>(/IDs/iu)
  choose(new Uint8Array(Buffer.from(text)))
  await vi.waitFor(() => expect(field.value).toContain('PMT-1'))
  choose(new Uint8Array([0x50, 0x4b, 3, 4, 20]))
  await vi.waitFor(() => expect(field.value).toBe(''))
  fireEvent.change(field, { target: { value: 'PMT-3' } })
  choose(new Uint8Array([0x50, 0x4b, 3, 4, 20]))
  await screen.findByRole('alert')
  expect(field.value).toBe('PMT-3')
})
