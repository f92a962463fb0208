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

/** A service whose `contains` compares the words of a text with what is sought, by `match`. */
function matchWords(match: (word: string, sought: string) => boolean): Answer {
  return (terms) => {
    const [, field = '', sought = ''] = /^contains\(([\w/]+),'(.*)'\)$/u.exec(terms.filter ?? '') ?? []
    if (field === '') return { rows: select(terms) }
    const words = (row: FilterableRow) =>
      String(getField(row, field))
        .toLowerCase()
        .split(/[^\p{L}\p{N}\p{M}]+/u)
    const isFound = (row: FilterableRow) => words(row).some((word) => match(word, sought.toLowerCase()))
    return { rows: rows.filter(isFound) }
  }
}

it.each([
  ['whole words', matchWords((word, sought) => word === sought)],
  ['beginnings of words', matchWords((word, sought) => word.startsWith(sought))],
])('proves no `contains` of a service that finds %s alone', async (_what, answer) => {
  const proven = await prove(answer)
  expect(proven).toContain('eq:status')
  expect(proven.filter((ability) => /^(?:contains|anycase):/u.test(ability))).toEqual([])
})

/** Payments with these customers' names in turn, at a service whose `contains` on them compares by `match`. */
function makeNameProbe(names: readonly string[], match: (name: string, sought: string) => boolean): Probe {
  const nameAt = (index: number) => names[index % names.length] ?? ''
  const sample = rows.map((row, index) => ({ ...row, customer: { name: nameAt(index) } }))
  return {
    list: 'listPayments',
    sample,
    read: async ({ filter }) => {
      const sought = filter?.kind === 'contains' ? filter.value : ''
      return { rows: sample.filter(({ customer }) => match(customer.name, sought)), after: null }
    },
  }
}

it('proves no `anycase` of a service that compares case, where a letter stands at the beginning of words alone', async () => {
  const names = Array.from({ length: 7 }, (_, index) => `C100${index}`)
  const proven = ['contains:customer/name']
  const folded = makeNameProbe(names, (name, sought) => name.toLowerCase().includes(sought.toLowerCase()))
  expect(await probeCapability(folded, 'anycase:customer/name', proven)).toBe(true)
  const exact = makeNameProbe(names, (name, sought) => name.includes(sought))
  expect(await probeCapability(exact, 'anycase:customer/name', proven)).toBe(false)
})

it('asks for no half of a letter, whatever alphabet the texts are in', async () => {
  const names = [
    'A\u030Ase Ho\u0308lmga\u030Ard',
    '\u{10400}\u{10401}\u{10402}\u{10403}\u{10404}',
    '李明',
    'O',
    '\u{1F469}\u200D\u{1F4BB} Æ-Ø',
  ]
  const asked = new Set<string>()
  const proven: (boolean | null)[] = []
  for (const name of names) {
    const probe = makeNameProbe([name, 'O'], (own, sought) => {
      asked.add(sought)
      return own.includes(sought)
    })
    proven.push(await probeCapability(probe, 'contains:customer/name', []))
  }
  expect(proven).toEqual([true, true, true, null, null])
  for (const sought of asked) expect([sought.isWellFormed(), /^\p{M}/u.test(sought)]).toEqual([true, false])
  expect(
    [...asked].filter((sought) => ['o\u0308lmga\u030Ar', '\u{10401}\u{10402}\u{10403}', '明'].includes(sought)),
  ).toHaveLength(3)
})

it.each(['first', 'last'])('proves no join of a service that reads the %s operand alone', async (which) => {
  for (const list of [rows, rows.map((row, index) => ({ ...row, status: `S${index}`, test: index % 2 === 0 }))]) {
    const answer: Answer = ({ filter, ...terms }) => {
      const parts = filter?.split(/ (?:and|or) /u) ?? []
      const part = which === 'first' ? parts[0] : parts.at(-1)
      const found = part === undefined ? list : list.filter((row) => evaluate(part, row))
      return { rows: terms.orderby ? order(found, terms.orderby) : found }
    }
    const proven = await prove(answer)
    expect(proven).toContain('eq:status')
    expect([proven.includes('or'), proven.includes('and')]).toEqual([false, false])
  }
})
