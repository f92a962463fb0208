import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { facts } from '@/components/data-table/testing/render-rows'
import { AppConfigProvider } from '@/components/layout/app-config'
import { QueryProvider } from '@/components/layout/query-provider'
import { setDeskForEach } from '@/lib/client/testing/page'
import { existingNumbersRequest } from '@/lib/server/imports/schema'
import { ChooseFile, type ChosenFile, DryRun } from './import-file'

const desk = setDeskForEach()

it.each([
  ['little', (text: string) => Buffer.from(text, 'utf16le')],
  ['big', (text: string) => Buffer.from(text, 'utf16le').swap16()],
])('a file in UTF-16 of %s endian without a byte order mark is read as what it says', async (_, encode) => {
  const onChoose = vi.fn<(file: ChosenFile | null) => void>()
  render(<ChooseFile file={null} onChoose={onChoose} />)
  const file = new File([new Uint8Array(encode('Navn;Nr\nÅse;1\n'))], 'kunder.csv')
  fireEvent.change(screen.getByLabelText('CSV file'), { target: { files: [file] } })
  await waitFor(() => expect(onChoose).toHaveBeenCalledWith({ fileName: 'kunder.csv', text: 'Navn;Nr\nÅse;1\n' }))
})

it.each([
  ['of Excel', [0x50, 0x4b, 3, 4, 20]],
  ['of an old Excel', [0xd0, 0xcf, 0x11, 0xe0, 0xa1]],
])('a workbook %s is no list, and said to be one at the field', async (_, bytes) => {
  const onChoose = vi.fn<(file: ChosenFile | null) => void>()
  render(<ChooseFile file={null} onChoose={onChoose} />)
  const field = screen.getByLabelText('CSV file')
  fireEvent.change(field, { target: { files: [new File([new Uint8Array(bytes)], 'kunder.csv')] } })
  const error = await screen.findByText(
    'This is a workbook or another packed file. Save it as CSV in your spreadsheet, and choose that file.',
  )
  expect(field.getAttribute('aria-invalid')).toBe('true')
  expect(field.getAttribute('aria-describedby')?.split(' ')).toContain(error.id)
  // The rows of a file that was chosen before are not those of this one.
  expect(onChoose.mock.calls).toEqual([[null]])
})

it('lines that create nothing do not keep the others from being compared with the existing customers', async () => {
  desk.answerWith(({ body }) => {
    const read = existingNumbersRequest.safeParse(body)
    return read.success ? { json: { ...read.data, compared: 2, isWhole: true } } : { status: 400, json: {} }
  })
  const odd = ['9'.repeat(201), '1\0', '2\uD800'].map((number) => `Odd,${number}`)
  const text = ['name,number', 'Ann,IA1', 'Bo,IA2', ...odd].join('\n')
  render(
    <AppConfigProvider config={facts}>
      <QueryProvider>
        <DryRun
          text={text}
          mapping={{ name: 0, number: 1 }}
          onMapping={() => undefined}
          isSending={false}
          onStart={() => undefined}
        />
      </QueryProvider>
    </AppConfigProvider>,
  )
  await screen.findByLabelText(/^Also import the 2 lines/u)
  expect(desk.arrived.map(({ body }) => body)).toEqual([{ numbers: ['IA1', 'IA2'] }])
})
