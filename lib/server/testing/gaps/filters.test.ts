import { beforeEach, expect } from 'vitest'
import type { ListId } from '@/lib/domain/lists/capabilities'
import { probeCapabilities } from '../../upstream/capabilities'
import { requireStore } from '../../store/store'
import { capabilities } from '../../store/schema'
import type { RecordedRequest, Script } from '../fault-service'
import { makeSession } from '../store-fixture'
import { gapOf, nothing, page, setUpGaps, gapSetup } from './gap'

setUpGaps()
beforeEach(async () => {
  globalThis.debitdeskProbes = undefined
  await (await requireStore()).delete(capabilities)
})

const rows = Array.from({ length: 60 }, (_, index) => ({
  id: `p-${index}`,
  status: index % 2 === 0 ? 'Pending' : 'Settled',
  amount: 60 - index,
  scheduleDate: `2026-11-${String(1 + (index % 28)).padStart(2, '0')}`,
}))
const queryOf = ({ path }: RecordedRequest) => new URL(path, 'http://service').searchParams

const prove = (list: ListId = 'listPayments') => probeCapabilities(makeSession('admin'), list)
const term = /^(\w+) eq '(.*)'$/u

/** A service that supports `field eq 'value'` and an order by one field, except as `odd` says. */
function clever(request: RecordedRequest): Script {
  const [filter, orderby] = [queryOf(request).get('filter'), queryOf(request).get('orderby')]
  const [, field = '', value] = term.exec(filter ?? '') ?? []
  if (filter !== null && value === undefined) return nothing(400)
  const found = filter === null ? rows : rows.filter((row) => String(Reflect.get(row, field)) === value)
  if (orderby === null) return page(found)
  const [by = '', direction] = orderby.split(' ')
  const sign = direction === 'desc' ? -1 : 1
  const read = (row: object): number | string => Reflect.get(row, by)
  return page(found.toSorted((one, other) => (read(one) < read(other) ? -sign : read(one) > read(other) ? sign : 0)))
}
const replace = (name: string, answer: Script) => (request: RecordedRequest) =>
  queryOf(request).has(name) ? answer : clever(request)

gapOf('syntax and fields of filter', [
  [
    'ours, for some fields',
    async () => {
      gapSetup.play(clever)
      expect(await prove()).toMatchObject({ 'eq:status': true, 'eq:id': true, 'order:amount': true })
    },
  ],
  ...(
    [
      ['another: 400', nothing(400)],
      ['another: 500', nothing(500)],
      ['another, misunderstood as nothing', page([])],
      ['ignored', page(rows)],
    ] as const
  ).map(
    ([told, answer]) =>
      [
        told,
        async () => {
          gapSetup.play(replace('filter', answer))
          expect(await prove()).toMatchObject({ 'eq:status': false, 'eq:id': false, 'order:amount': true })
        },
      ] as const,
  ),
])
gapOf('syntax and fields of orderby', [
  [
    'ours, for some fields',
    async () => {
      gapSetup.play(clever)
      expect(await prove()).toMatchObject({ 'order:amount': true, 'order:scheduleDate': true })
    },
  ],
  ...(
    [
      ['another: 400', nothing(400)],
      ['ignored', page(rows.toSorted((one, other) => ((one.amount * 7) % 11) - ((other.amount * 7) % 11)))],
      ['misunderstood as nothing', page([])],
    ] as const
  ).map(
    ([told, answer]) =>
      [
        told,
        async () => {
          gapSetup.play(replace('orderby', answer))
          expect((await prove())['order:amount']).not.toBe(true)
        },
      ] as const,
  ),
])
