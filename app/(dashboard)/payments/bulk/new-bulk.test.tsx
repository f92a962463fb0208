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
