import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { faultInput } from './control/faults'
import { problemCatalogue } from './http/problem'

const readme = readFile('service/README.md', 'utf8')

test('the README names every problem, with its status', async () => {
  const text = await readme
  const rows = new Map(
    text.split('\n').flatMap((line) => {
      const [, codes = '', status = ''] = line.split('|').map((cell) => cell.trim())
      return [...codes.matchAll(/`([a-z-]+)`/gu)].map(([, code = '']): [string, number] => [code, Number(status)])
    }),
  )
  for (const [code, { status }] of Object.entries(problemCatalogue))
    expect([code, rows.get(code)]).toEqual([code, status])
})

test('the README names every fault', async () => {
  const text = await readme
  expect(faultInput.shape.kind.options.filter((kind) => !text.includes(`\`${kind}\``))).toEqual([])
})
