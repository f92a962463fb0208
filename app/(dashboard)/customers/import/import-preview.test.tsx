import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { formatCount } from '@/lib/domain/numbers'
import { checkLines } from './import-file'
import { ImportPreview } from './import-preview'

it('says of each line which it is in the file, and whether it is skipped', () => {
  const mapping = { name: 0, number: 1 }
  const text = 'Name,Number\nAnn,1\n,2\nBo,3,surplus\nCy,1\n'
  const { preview, invalid } = checkLines(text, mapping, (count) => formatCount(count, 'en-GB'))
  render(<ImportPreview lines={preview} mapping={mapping} invalid={invalid} />)
  const [, ...rows] = screen.getAllByRole('row')
  expect(screen.getAllByRole('rowheader').map(({ textContent }) => textContent?.trim())).toEqual([
    '2',
    '3 Skipped',
    '4 Skipped',
    '5 Skipped',
  ])
  expect(rows.map(({ textContent }) => textContent?.replaceAll(/\s+/gu, ' '))).toEqual([
    '2 Ann1',
    '3 Skipped2',
    '4 SkippedBo3',
    '5 SkippedCy1',
  ])
})
