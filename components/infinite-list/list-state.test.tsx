import { act, render, screen } from '@testing-library/react'
import { SearchParamsContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, describe, expect, it } from 'vitest'
import { makePayments } from '@/lib/client/testing/list-service'
import { AppConfigProvider } from '../layout/app-config'
import { ListState } from './list-state'
import type { PaginationState } from './pagination'
import { honest, setListStage, waitUntil, slowly } from './testing/open-list'
import { facts, readText } from '../data-table/testing/render-rows'
import { ListStatus } from './list-status'

const stage = setListStage()

afterEach(stage.close)

/** Reads a list to its end and renders its state and footer. */
async function show(
  answer: Parameters<typeof stage.open>[0],
  isFiltered = false,
): Promise<{ html: string; text: string }> {
  await stage.close()
  await stage.open(answer)
  await stage.finish()
  return draw(isFiltered)
}

/** Renders the state and the footer of the list as it is now. */
function draw(isFiltered: boolean): { html: string; text: string } {
  const html = renderToStaticMarkup(
    <SearchParamsContext value={new URLSearchParams('state=Pending')}>
      <ListState
        list={stage.list}
        name="Payments"
        empty={{ title: 'No payments yet', advice: 'Later.' }}
        isFiltered={isFiltered}
        onClear={() => undefined}
      />
      <AppConfigProvider config={facts}>
        <ListStatus list={stage.list} isFilteredClientSide={isFiltered} />
      </AppConfigProvider>
    </SearchParamsContext>,
  )
  return { html, text: readText(html).replaceAll(/\s+/gu, ' ') }
}

const page = (results: unknown[], rest: Record<string, unknown>) => ({ body: { results, ...rest } })

describe('the face of a list', () => {
  it('says in words that the list may be incomplete, beside the rows (UP-22, UP-23, UP-24)', async () => {
    const circle = await show(() => page(makePayments(0, 3), { hasMore: true, nextOffset: 'x' }))
    expect(circle.text).toContain(
      'The list may be incomplete: the provider pointed back to a page that was already read.',
    )
    expect(circle.text).toContain('The list may be incomplete: 3 loaded')
    expect(circle.text).not.toContain('Load more')
    const lost = await show(() => page(makePayments(0, 3), { hasMore: true }))
    expect(lost.text).toContain('not where it continues')
    const wordless = await show(() => page(makePayments(0, 3), { nextOffset: 'x' }))
    expect(wordless.text).toContain('didn’t say whether there’s more')
  })

  it('never claims that an incomplete list is whole', async () => {
    const { text } = await show(() => page(makePayments(0, 3), { hasMore: 'false' }))
    expect(text).not.toMatch(/\ball\b/iu)
  })

  it('says how many all are once the end was told', async () => {
    const { text } = await show(() => page(makePayments(0, 3), { hasMore: false }))
    expect(text).toContain('All 3 loaded')
  })

  it('counts what came twice (UP-26)', async () => {
    const { text } = await show(() => page([...makePayments(0, 3), ...makePayments(1, 2)], { hasMore: false }))
    expect(text).toContain('All 3 loaded')
    expect(text).toContain('2 sent more than once, shown once')
  })

  it('tells nothing of a whole list before the filter has looked at all of it', async () => {
    await stage.close()
    await stage.open(honest(5_000), { seen: 5_000 })
    await waitUntil(() => stage.list.pagination.kind === 'complete')
    stage.show({ rules: { name: 'last', matches: slowly(({ id }) => id === 'p4999') } })
    const before = draw(true)
    expect([before.text.trim(), before.html.includes('list-skeleton')]).toEqual(['Loading', true])
    await waitUntil(() => stage.list.isProcessed)
    expect(draw(true).text).toContain('1 of all 5,000 match')
  })

  it('tells an empty list from one where nothing matches', async () => {
    const empty = await show(() => page([], { hasMore: false }))
    expect(empty.text).toContain('No payments yet')
    const filtered = await show(() => page([], { hasMore: false }), true)
    expect(filtered.text).toContain('No matches')
    expect(filtered.text).toContain('Clear filters')
  })

  it('does not call a list empty whose next page may have rows', async () => {
    await stage.open(() => page([], { hasMore: true, nextOffset: 'next' }))
    const list = { ...stage.list, pagination: { kind: 'more' } as const }
    const text = readText(
      renderToStaticMarkup(
        <ListState
          list={list}
          name="Payments"
          empty={{ title: 'No payments yet', advice: 'Later.' }}
          isFiltered={false}
          onClear={() => undefined}
        />,
      ),
    )
    expect(text).toContain('None so far')
    expect(text).not.toContain('No payments yet')
  })

  it('does not call a list empty, nor a filter without matches, that may be incomplete', async () => {
    for (const isFiltered of [false, true]) {
      const { text } = await show(() => page([], { nextOffset: null }), isFiltered)
      expect(text).toContain(`so far`)
      expect(text).toContain('The provider sent none. The list may be incomplete: the provider didn’t say')
      expect(text).not.toMatch(/No payments (?:yet|match)/u)
    }
  })

  it.each([
    [403, 'refused'],
    [429, 'slow-down'],
    [502, 'broken'],
  ])('has a face of its own for %i, with Retry, and keeps the rows', async (status, kind) => {
    const { html, text } = await show((after) =>
      after === null
        ? page(makePayments(0, 100), { hasMore: true, nextOffset: '100' })
        : { status, headers: { 'retry-after': '9' }, body: null },
    )
    expect(html).toContain(`data-problem="${kind}"`)
    expect(text).toContain('Retry')
    expect(text).toContain('100 loaded, then loading failed')
    expect(stage.list.size).toBe(100)
  })

  it('counts down what the service asks to wait', async () => {
    const { text } = await show(() => ({ status: 429, headers: { 'retry-after': '9' }, body: null }))
    expect(text).toContain('in 9 s')
  })
})

it('a pressed “Retry”, which goes, leaves its focus to the footer', async () => {
  await stage.open(() => page(makePayments(0, 100), { hasMore: true, nextOffset: '100' }))
  const show = (pagination: PaginationState) => (
    <SearchParamsContext value={new URLSearchParams()}>
      <AppConfigProvider config={facts}>
        <ListState
          list={{ ...stage.list, pagination }}
          name="Payments"
          empty={{ title: '', advice: '' }}
          isFiltered={false}
          onClear={() => undefined}
        />
        <ListStatus list={{ ...stage.list, pagination }} isFilteredClientSide={false} />
      </AppConfigProvider>
    </SearchParamsContext>
  )
  const { rerender } = render(show({ kind: 'failed', error: new Error('No.'), isWaiting: false }))
  act(() => screen.getByRole('button', { name: 'Retry' }).focus())
  rerender(show({ kind: 'loading' }))
  expect(document.activeElement).toBe(screen.getByRole('status').parentElement)
})
