import { expect } from 'vitest'
import type { RecordedRequest, Script } from '../fault-service'
import { gap, gapOf, json, nothing, page, setUpGaps, gapSetup, words } from './gap'

setUpGaps()

const rows = Array.from({ length: 60 }, (_, index) => ({ id: `p-${index}` }))
const queryOf = ({ path }: RecordedRequest) => new URL(path, 'http://service').searchParams

/** Pages of a size, starting at `after`; `write` formats an index as nextOffset. */
function paged({
  size,
  write = String,
  read = Number,
  isNamed = true,
}: {
  size: number
  write?: (to: number) => unknown
  read?: (after: string) => number
  isNamed?: boolean
}) {
  return (request: RecordedRequest): Script => {
    const after = queryOf(request).get('after')
    const from = after === null ? 0 : read(after)
    const to = from + size
    const hasMore = to < rows.length
    return page(rows.slice(from, to), { hasMore, ...(hasMore || isNamed ? { nextOffset: write(to) } : {}) })
  }
}

type Walked = { ids: string[]; pages: number; end: unknown }

/** Loads GET /Payments through the gateway like the browser, page by page. */
async function walk(): Promise<Walked> {
  const ids: string[] = []
  let after: string | undefined
  for (let pages = 1; ; pages += 1) {
    const query = new URLSearchParams({ limit: '100', ...(after !== undefined && { after }) })
    const { status, json: told } = await gapSetup.ask('GET', `/Payments?${query.toString()}`)
    if (status !== 200) return { ids, pages, end: status }
    const { results, continuation } = told as {
      results: { id: string }[]
      continuation: { kind: string; after?: string }
    }
    ids.push(...results.map(({ id }) => id))
    if (continuation.kind !== 'more' || pages === 30) return { ids, pages, end: continuation }
    after = continuation.after
  }
}

const whole = (pages: number) => ({ ids: rows.map(({ id }) => id), pages, end: { kind: 'end' } })

const odd = (to: number) => `+/=&limit=1#%00 »${to}`
gapOf('how after relates to nextOffset', [
  [
    'nextOffset is a number',
    async () => {
      gapSetup.play(paged({ size: 25, write: Number }))
      expect(await walk()).toEqual(whole(3))
    },
  ],
  [
    'nextOffset is opaque, with every odd sign',
    async () => {
      gapSetup.play(paged({ size: 25, write: odd, read: (after) => Number(after.split('»')[1]) }))
      expect(await walk()).toEqual(whole(3))
    },
  ],
  [
    'nextOffset is a long number that counts nothing',
    async () => {
      const base = 9_007_199_254_740_993n
      gapSetup.play((request) => {
        const reply = paged({
          size: 25,
          write: (to) => String(base + BigInt(to)),
          read: (after) => Number(BigInt(after) - base),
        })(request)
        return { ...reply, body: String(reply.body).replace(/"nextOffset":"(\d+)"/u, '"nextOffset":$1') }
      })
      expect(await walk()).toEqual(whole(3))
    },
  ],
  [
    'after is ignored: the first page for ever',
    async () => {
      gapSetup.play(page(rows.slice(0, 10), { hasMore: true, nextOffset: 'next' }))
      const { ids, pages } = await walk()
      // The gateway passes on each page; the browser's list ends at the repeated offset.
      expect([new Set(ids).size, pages]).toEqual([10, 30])
    },
  ],
  [
    'after is refused',
    async () => {
      gapSetup.play((request) =>
        queryOf(request).has('after') ? words('no', 400) : page(rows.slice(0, 10), { hasMore: true, nextOffset: 'x' }),
      )
      expect(await walk()).toMatchObject({ ids: { length: 10 }, end: 422 })
    },
  ],
])

const end = (told: string, last: object, continuation: object) => ({
  told,
  answer: page([{ id: 'a' }], last),
  shown: { results: [{ id: 'a' }], continuation },
})
gap(
  'where a list ends',
  ['GET', '/Payments'],
  [
    end('zero, with more to come', { hasMore: true, nextOffset: 0 }, { kind: 'more', after: '0' }),
    end('nextOffset null', { hasMore: false, nextOffset: null }, { kind: 'end' }),
    end('nextOffset missing', { hasMore: false }, { kind: 'end' }),
    end('nextOffset empty', { hasMore: false, nextOffset: '' }, { kind: 'end' }),
    end('a nextOffset all the same', { hasMore: false, nextOffset: 7 }, { kind: 'end' }),
    end('no hasMore: nobody can know', { nextOffset: null }, { kind: 'incomplete', reason: 'no-word' }),
    end('hasMore in words is no word', { hasMore: 'false' }, { kind: 'incomplete', reason: 'no-word' }),
    end('more, but not from where', { hasMore: true, nextOffset: null }, { kind: 'incomplete', reason: 'no-offset' }),
  ],
)

const limits = () => gapSetup.requests().map((request) => queryOf(request).get('limit'))
gapOf('query of GET /Payments', [
  [
    'limit, after and what else other lists take',
    async () => {
      gapSetup.play((request) => page(rows.slice(0, Number(queryOf(request).get('limit')))))
      expect((await gapSetup.ask('GET', '/Payments?limit=5')).json).toMatchObject({ results: { length: 5 } })
    },
  ],
  [
    'none: 400 to any parameter',
    async () => {
      gapSetup.play((request) => (queryOf(request).size > 0 ? words('no parameters', 400) : page(rows)))
      expect(await walk()).toEqual(whole(1))
      expect(await walk()).toEqual(whole(1))
      // A refusal only counts when repeated.
      expect(limits()).toEqual(['100', '50', '20', null, '100', null])
    },
  ],
  [
    'any, and none of it counts: everything in one page',
    async () => {
      gapSetup.play(page(rows))
      expect((await gapSetup.ask('GET', '/Payments?limit=5&orderby=amount')).json).toMatchObject({
        results: { length: 60 },
        continuation: { kind: 'end' },
      })
    },
  ],
  [
    'no payments at all',
    async () => {
      gapSetup.play(page([]))
      expect(await walk()).toEqual({ ids: [], pages: 1, end: { kind: 'end' } })
    },
  ],
])
gapOf('largest page', [
  [
    'fifty: one hundred are refused',
    async () => {
      gapSetup.play((request) =>
        Number(queryOf(request).get('limit')) > 50
          ? json({ errors: { Limit: ['at most 50'] } }, 400)
          : paged({ size: Number(queryOf(request).get('limit')) })(request),
      )
      expect(await walk()).toEqual(whole(2))
      expect(limits()).toEqual(['100', '50', '100', '50'])
    },
  ],
  [
    'ten: the service chooses by itself',
    async () => {
      gapSetup.play((request) =>
        Number(queryOf(request).get('limit') ?? 0) > 10 ? nothing(422) : paged({ size: 10 })(request),
      )
      expect(await walk()).toEqual(whole(6))
      expect(limits().slice(0, 6)).toEqual(['100', '50', '20', null, '100', null])
    },
  ],
  [
    'twenty five, in silence',
    async () => {
      gapSetup.play(paged({ size: 25, isNamed: false }))
      expect(await walk()).toEqual(whole(3))
      expect(limits()).toEqual(['100', '100', '100'])
    },
  ],
])
