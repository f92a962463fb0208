import { fireEvent, render, screen } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { expect, it, vi } from 'vitest'
import { facts } from '@/components/data-table/testing/render-rows'
import { AppConfigProvider } from '@/components/layout/app-config'
import { router } from '@/lib/client/testing/page'
import { NewBulk } from './new-bulk'

const text = 'PMT-1;søgt\r\nPMT-2;'

it.each([
  ['UTF-8', Buffer.from(text)],
  ['UTF-16, “Unicode text” of Excel', Buffer.from(`\uFEFF${text}`, 'utf16le')],
  ['UTF-16, the other byte first', Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
  ['Windows-1252', Buffer.from(text, 'latin1')],
])('reads a list in %s', async (_encoding, bytes) => {
  render(
    <AppRouterContext value={router}>
      <AppConfigProvider config={facts}>
        <NewBulk />
      </AppConfigProvider>
    </AppRouterContext>,
  )
  fireEvent.change(screen.getByLabelText('File'), {
    target: { files: [new File([new Uint8Array(bytes)], 'list.txt')] },
  })
  const field = screen.getByLabelText<HTMLTextAreaElement>(/IDs/iu)
  await vi.waitFor(() => expect(field.value.replaceAll('\n', '\r\n')).toContain(text))
})

it('leaving a list that was typed and not checked yet asks first', async () => {
  const asksToStay = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  render(
    <AppRouterContext value={router}>
      <AppConfigProvider config={facts}>
        <NewBulk />
      </AppConfigProvider>
    </AppRouterContext>,
  )
  expect(asksToStay()).toBe(false)
  fireEvent.change(screen.getByLabelText(/IDs/iu), { target: { value: 'PMT-1' } })
  await vi.waitFor(() => expect(asksToStay()).toBe(true))
})
