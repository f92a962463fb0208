import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { ChooseFile, type ChosenFile } from './import-file'

it.each([
  ['little', (text: string) => Buffer.from(text, 'utf16le')],
  ['big', (text: string) => Buffer.from(text, 'utf16le').swap16()],
])('a file in UTF-16 of %s endian without a byte order mark is read as what it says', async (_, encode) => {
  const onChoose = vi.fn<(file: ChosenFile) => void>()
  render(<ChooseFile file={null} onChoose={onChoose} />)
  const file = new File([new Uint8Array(encode('Navn;Nr\nÅse;1\n'))], 'kunder.csv')
  fireEvent.change(screen.getByLabelText('CSV file'), { target: { files: [file] } })
  await waitFor(() => expect(onChoose).toHaveBeenCalledWith({ fileName: 'kunder.csv', text: 'Navn;Nr\nÅse;1\n' }))
})
