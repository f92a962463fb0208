import { SearchParamsContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, describe, expect, it } from 'vitest'
import { RowList } from '@/lib/browser/row-list'
import { type ListService, makePayments, startListService, until } from '@/lib/browser/testing/list-service'
import type { Payment } from '@/lib/contract/payments'
import { DeskFactsProvider } from '../desk-facts'
import { TableFace } from './table-face'
import { facts, readText } from './testing/render-rows'
import { WalkStatus } from './walk-status'

let service: ListService | undefined
let close: (() => void) | undefined

afterEach(async () => {
  close?.()
  close = undefined
  await service?.close()
})

type Answer = Parameters<typeof startListService>[0]

/** Walks a list to where it stops and shows its face and its foot. */
async function show(
  answer: Answer,
  isFiltered = false,
): Promise<{ html: string; text: string; list: RowList<Payment> }> {
  service = await startListService(answer)
  const list = new RowList<Payment>({ idOf: (row) => row.id, read: service.read })
  close = list.open()
  await until(() => list.walk.kind !== 'loading')
  const html = renderToStaticMarkup(
    <SearchParamsContext value={new URLSearchParams('state=Pending')}>
      <TableFace
        list={list}
        name="Payments"
        empty={{ title: 'No payments yet', advice: 'Later.' }}
        isFiltered={isFiltered}
        onClear={() => undefined}
      />
      <DeskFactsProvider facts={facts}>
        <WalkStatus list={list} isNarrowed={false} />
      </DeskFactsProvider>
    </SearchParamsContext>,
  )
  return { html, text: readText(html).replaceAll(/\s+/gu, ' '), list }
}

const page = (results: unknown[], rest: Record<string, unknown>) => ({ body: { results, ...rest } })

describe('the face of a list', () => {
  it('says in words that the list may be incomplete, beside the rows (UP-22, UP-23, UP-24)', async () => {
    const circle = await show(() => page(makePayments(0, 3), { hasMore: true, nextOffset: 'x' }))
    expect(circle.text).toContain('The list may be incomplete: the service led back to a page that was read before.')
    expect(circle.text).toContain('The list may be incomplete: 3 loaded')
    expect(circle.text).not.toContain('Load more')
    close?.()
    await service?.close()
    const lost = await show(() => page(makePayments(0, 3), { hasMore: true }))
    expect(lost.text).toContain('not where it goes on')
    close?.()
    await service?.close()
    const wordless = await show(() => page(makePayments(0, 3), { nextOffset: 'x' }))
    expect(wordless.text).toContain('did not say whether there is more')
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

  it('tells an empty list from one where nothing matches', async () => {
    const empty = await show(() => page([], { hasMore: false }))
    expect(empty.text).toContain('No payments yet')
    close?.()
    await service?.close()
    const filtered = await show(() => page([], { hasMore: false }), true)
    expect(filtered.text).toContain('Nothing matches')
    expect(filtered.text).toContain('Clear filters')
  })

  it('does not call a list empty, nor a filter without matches, that may be incomplete', async () => {
    for (const isFiltered of [false, true]) {
      const { text } = await show(() => page([], { nextOffset: null }), isFiltered)
      expect(text).toContain(`so far`)
      expect(text).toContain('The service sent none. The list may be incomplete: the service did not say')
      expect(text).not.toMatch(/No payments (?:yet|match)/u)
      close?.()
      await service?.close()
    }
  })

  it.each([
    [403, 'refused'],
    [429, 'slow-down'],
    [502, 'broken'],
  ])('has a face of its own for %i, with Retry, and keeps the rows', async (status, kind) => {
    const { html, text, list } = await show((after) =>
      after === null
        ? page(makePayments(0, 100), { hasMore: true, nextOffset: '100' })
        : { status, headers: { 'retry-after': '9' }, body: null },
    )
    expect(html).toContain(`data-problem="${kind}"`)
    expect(text).toContain('Retry')
    expect(text).toContain('100 loaded, then it failed')
    expect(list.size).toBe(100)
  })

  it('counts down what the service asks to wait', async () => {
    const { text } = await show(() => ({ status: 429, headers: { 'retry-after': '9' }, body: null }))
    expect(text).toContain('in 9 s')
  })
})
