import { expect, it } from 'vitest'
import { type Capability, usedCapabilities } from '@/lib/domain/lists/capabilities'
import { getField } from '@/lib/domain/lists/row-matching'
import { formatFilter, formatSortOrder } from '@/lib/api-contract/filter'
import { evaluate, type FilterableRow, filterableRows as rows, order } from '../testing/filterable-rows'
import { type Probe, probeCapability, readSample } from './capability-probes'

type Terms = { filter: string | undefined; orderby: string | undefined; after: string | undefined }
type Answer = (terms: Terms) => { rows: readonly FilterableRow[]; after?: string | null }

/** The proven capabilities of a service with these replies. */
async function prove(answer: Answer): Promise<Capability[]> {
  const read: Probe['read'] = async (query) => {
    const page = answer({
      filter: query.filter && formatFilter(query.filter),
      orderby: query.order && formatSortOrder(query.order),
      after: query.after,
    })
    return { rows: page.rows.map((row) => ({ ...row })), after: page.after ?? null }
  }
  const probe: Probe = { list: 'listPayments', sample: await readSample(read), read }
  const proven: Capability[] = []
  for (const ability of usedCapabilities.listPayments)
    if ((await probeCapability(probe, ability, proven)) === true) proven.push(ability)
  return proven
}

function select({ filter, orderby }: Terms): FilterableRow[] {
  const found = filter ? rows.filter((row) => evaluate(filter, row)) : rows
  return orderby ? order(found, orderby) : found
}

/** Reproducible numbers from 0 to 1 (a linear congruential generator). */
function makeRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 4_294_967_296
  }
}

it.each([
  ['always', () => true],
  ['to each filter and order', ({ filter, orderby }: Terms) => filter !== undefined || orderby !== undefined],
])('proves nothing of a service that answers one to three random rows %s', async (_when, isRandom) => {
  const random = makeRandom(20_261_125)
  const pick = () => rows.slice(Math.floor(random() * rows.length)).slice(0, 1)
  for (let run = 0; run < 100; run += 1) {
    const proven = await prove((terms) =>
      isRandom(terms)
        ? { rows: Array.from({ length: 1 + Math.floor(random() * 3) }, pick).flat() }
        : { rows: select(terms) },
    )
    expect(proven).toEqual([])
  }
})

it('proves no order of a service that sorts each page by itself, and no filter of one that forgets it on the second', async () => {
  const proven = await prove((terms) => {
    const isFirst = terms.after === undefined
    const page = isFirst ? rows.slice(0, 30) : rows.slice(30)
    const filtered = isFirst && terms.filter ? select(terms) : page
    return { rows: terms.orderby ? order(page, terms.orderby) : filtered, after: isFirst ? 'next' : null }
  })
  expect(proven).toEqual([])
})

it('proves nothing of a service whose second page is the first again', async () => {
  expect(await prove((terms) => ({ rows: select(terms), after: terms.after === undefined ? 'next' : null }))).toEqual(
    [],
  )
})

it('proves what holds over pages, however small they are', async () => {
  const proven = await prove((terms) => {
    const from = Number(terms.after ?? 0)
    const found = select(terms)
    return { rows: found.slice(from, from + 8), after: from + 8 < found.length ? String(from + 8) : null }
  })
  expect(proven).toEqual(usedCapabilities.listPayments)
})

it('proves no `ne` of a service that leaves out rows without a value, as SQL does', async () => {
  const proven = await prove((terms) => {
    const [, field = ''] = /^([\w/]+) ne /u.exec(terms.filter ?? '') ?? []
    return { rows: select(terms).filter((row) => field === '' || getField(row, field) !== null) }
  })
  expect(proven).toEqual(usedCapabilities.listPayments.filter((ability) => ability !== 'ne:mandate/scheme'))
})
