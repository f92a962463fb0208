import { expect, it } from 'vitest'
import { importLimits, measureImport } from '@/lib/domain/customers/customer-import'
import { formatCount } from '@/lib/domain/numbers'
import { checkLines } from './import-file'

const mapping = { name: 0 }
const write = (count: number) => formatCount(count, 'en-GB')

it('counts what a file takes on its way, not its letters', () => {
  expect(measureImport('å')).toBe(4)
  expect(measureImport('"\n')).toBe(6)
})

it('refuses a file that would be too large to send, and says how large it is', () => {
  const line = `${'Å'.repeat(150)}\n`
  const text = `Name\n${line.repeat(3_400)}`
  expect(text.length).toBeLessThan(600_000)
  expect(checkLines(text, mapping, write).reason).toBe(
    'The file is too large: 1,027 kB, and an import takes at most 1,000 kB. Split it into at least 2 files.',
  )
  expect(checkLines(`Name\n${line.repeat(3_000)}`, mapping, write)).toMatchObject({ reason: null, validCount: 3_000 })
})

it('leaves room for what is sent beside the file', () => {
  const existingLines = Array.from({ length: importLimits.lines }, (_, index) => index + 2)
  const body = {
    fileName: '山'.repeat(200),
    mapping: { name: 200 },
    text: 'x'.repeat(importLimits.bytes - 2),
    existingLines,
  }
  expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(1_048_576)
})

it('names a line that holds what no database of text takes', () => {
  const { validCount, invalid } = checkLines('Name\nAnn\nBo\0b\nC\uD800c\n', mapping, write)
  const message = 'Name must be text: it contains NUL or half a character.'
  expect({ validCount, invalid }).toEqual({
    validCount: 1,
    invalid: [
      { line: 3, message },
      { line: 4, message },
    ],
  })
})

it('names a line whose cells have moved, and takes empty ones at its end', () => {
  const { validCount, invalid } = checkLines('Name,Number,,\nSmith, Ann,1\n"Smith, Bo",2,,\nCarl\n', mapping, write)
  const why = 'a value that contains the separator needs quotation marks around it'
  expect({ validCount, invalid }).toEqual({
    validCount: 2,
    invalid: [{ line: 2, message: `It has 3 cells, but the first line has 2: ${why}.` }],
  })
})
