import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { endpoints } from '@/lib/api-contract/endpoints'
import { EndpointCard } from './endpoint-card'
import { listSchemaFields } from './schema-fields'

afterEach(() => {
  cleanup()
  document.documentElement.lang = 'en'
})

it('is in English throughout, whatever language the reader has', () => {
  document.documentElement.lang = 'da'
  const limit = { type: 'integer', minimum: 1, maximum: 100, default: 20 }
  const query = listSchemaFields({ properties: { limit }, required: ['limit'] })
  const { container } = render(<EndpointCard endpoint={endpoints.listCustomers} query={query} body={[]} />)
  expect(container.textContent).toContain(
    ', for Admin, Support, Support without bulk and Viewer. Answers 200 with a page of Customer.',
  )
  const rows = screen.getAllByRole('row').map(({ children }) => [...children].map((cell) => cell.textContent))
  expect(rows).toEqual([
    ['Field', 'Type', 'Notes'],
    ['limit', 'integer', 'required. 1 to 100, default 20'],
  ])
})
