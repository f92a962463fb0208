import { useQuery } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { QueryProvider } from './query-provider'

let read = 0

function Probe() {
  const { data } = useQuery({ queryKey: ['secret'], queryFn: () => `read ${(read += 1)}`, staleTime: 'static' })
  return <p>{data ?? 'nothing yet'}</p>
}

it('never shows what was loaded for one person or merchant to another', async () => {
  const page = (owner: string, visit = owner) => (
    <QueryProvider key={owner}>
      <Probe key={visit} />
    </QueryProvider>
  )
  // Keyed by user and merchant, as in the shell.
  const { rerender } = render(page('anna default'))
  await screen.findByText('read 1')
  rerender(page('anna default', 'again'))
  expect(screen.getByText('read 1')).toBeDefined()
  rerender(page('bert default'))
  expect(screen.queryByText('read 1')).toBeNull()
  await screen.findByText('read 2')
  rerender(page('bert other'))
  await screen.findByText('read 3')
})
