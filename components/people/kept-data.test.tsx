import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { facts } from '@/components/data-table/testing/render-rows'
import { AppConfigProvider } from '@/components/layout/app-config'
import { QueryProvider } from '@/components/layout/query-provider'
import { setDeskForEach } from '@/lib/client/testing/page'
import { keptKinds } from '@/lib/domain/kept-kinds'
import type { PersonRequest } from '@/lib/domain/people'
import { KeptData } from './kept-data'

const desk = setDeskForEach()

const nobody: PersonRequest = {
  customer: '',
  name: '',
  number: '',
  addressLine1: '',
  addressLine2: '',
  others: [],
  ids: [],
}

it.each([
  [{ name: 'Alma' }, ['Alma'], [], 'Debitdesk keeps no texts about this person.'],
  [{ name: 'Al' }, [], ['Al'], 'Nothing could be looked for in texts.'],
  [{ customer: 'unknown' }, [], [], 'Nothing was found by id, and nothing else was looked for in texts.'],
  [{ ids: ['p-1'] }, [], [], 'Nothing was found by id, and nothing else was looked for in texts.'],
])('where nothing was found for %o it says what was looked for', async (known, searched, tooShort, expected) => {
  const counts = Object.fromEntries(keptKinds.map((kind) => [kind, 0]))
  desk.answerWith(() => ({ json: { customer: null, payments: null, searched, tooShort, counts, total: 0, open: [] } }))
  render(
    <AppConfigProvider config={facts}>
      <QueryProvider>
        <KeptData person={{ ...nobody, ...known }} />
      </QueryProvider>
    </AppConfigProvider>,
  )
  expect((await screen.findByRole('heading')).textContent).toBe(expected)
  const note = screen.queryByText(/too short to look for/u)?.closest('p')
  expect(note?.className.includes('caution') ?? false).toBe(tooShort.length > 0)
  expect(screen.getByRole('button', { name: /^Erase/u }).title).toBe(expected)
})
