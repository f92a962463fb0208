import { capabilitiesFor, type ListId, isCaseSensitive, type CapabilityProofs } from '@/lib/domain/lists/capabilities'
import type { Customer } from '@/lib/api-contract/customers'
import { type Filter, formatFilter } from '@/lib/api-contract/filter'
import { isUuid } from '@/lib/domain/ids'
import { explainSegment } from '@/lib/api-contract/path-segment'
import type { Payment } from '@/lib/api-contract/payments'
import type { SearchHit, SearchReply } from '@/lib/domain/search'
import { buildPagePath } from '@/lib/domain/page-address'
import { probeCapabilities, readCapabilities } from '../upstream/capabilities'
import { AppError } from '../runtime/app-error'
import { callEndpoint } from '../upstream/call-endpoint'
import type { Session } from '../auth/session'

const most = 5
const patience = 5_000

/** What one place answered: hits; null where it could not be asked in these words. */
type Found = SearchHit[] | null

type Said = { id: string | null; handle: string | null }

function makeHit(
  kind: SearchHit['kind'],
  section: `/${string}`,
  { id, handle }: Said,
  words: { title: string | null; about: readonly (string | null)[] },
): SearchHit[] {
  const page = buildPagePath(section, id ?? handle)
  const about = words.about.filter((word) => word !== null && word !== '').join(' · ')
  return page ? [{ kind, page, title: words.title || handle || id || kind, about }] : []
}

function hitCustomer({ id, handle, name, number }: Pick<Customer, 'id' | 'handle' | 'name' | 'number'>): SearchHit[] {
  return makeHit('Customer', '/customers', { id, handle }, { title: name, about: [number, handle] })
}

function hitPayment({ id, handle, reference, status, customer }: Payment): SearchHit[] {
  return makeHit('Payment', '/payments', { id, handle }, { title: reference, about: [customer?.name ?? null, status] })
}

/** One record by its id or handle; that there is none, or that it cannot be asked for, is no failure. */
async function lookUp(ask: () => Promise<SearchHit[]>): Promise<Found> {
  try {
    return await ask()
  } catch (error) {
    const isAnswer = error instanceof AppError && ['not-found', 'bad-request', 'upstream-refused'].includes(error.code)
    if (isAnswer) return []
    throw error
  }
}

/** Looks for words in a list, if the service was proven to understand the question. */
async function search(
  session: Session,
  list: ListId,
  proofs: CapabilityProofs,
  filter: Filter,
  ask: (query: { filter: string; limit: string }) => Promise<SearchHit[]>,
): Promise<Found> {
  const abilities = capabilitiesFor(filter)
  if (abilities.some((ability) => !(ability in proofs))) {
    // Nobody waits for the proof: the next search has it.
    probeCapabilities(session, list).catch(() => undefined)
    return null
  }
  if (!abilities.every((ability) => proofs[ability] === true)) return null
  return lookUp(() => ask({ filter: formatFilter(filter), limit: String(most) }))
}

const anyOf = (fields: readonly string[], value: string): Filter => ({
  kind: 'or',
  filters: fields.map((field) => ({ kind: 'contains', field, value })),
})

/**
 * Finds what somebody typed: an id or a handle by asking for the record itself, words among customers and
 * payments. What one place cannot answer does not keep the others from answering.
 */
export async function findRecords(session: Session, text: string): Promise<SearchReply> {
  const [ofCustomers, ofPayments] = await Promise.all([
    readCapabilities(session, 'listCustomers'),
    readCapabilities(session, 'listPayments'),
  ])
  const signal = AbortSignal.timeout(patience)
  const isSegment = !/\s/u.test(text) && explainSegment(text) === null
  const direct = isSegment
    ? [
        lookUp(async () =>
          hitCustomer(await callEndpoint(session, 'getCustomer', { params: { customerIdOrHandle: text }, signal })),
        ),
        lookUp(async () => {
          const mandate = await callEndpoint(session, 'getMandate', { params: { mandateIdOrHandle: text }, signal })
          const { handle, scheme, status, customer } = mandate
          const about = [customer?.name ?? null, scheme, status]
          return makeHit('Mandate', '/mandates', mandate, { title: handle, about })
        }),
        lookUp(async () => {
          const agreement = await callEndpoint(session, 'getAgreement', {
            params: { agreementIdOrHandle: text },
            signal,
          })
          const { handle, scheme, status } = agreement
          return makeHit('Agreement', '/agreements', agreement, { title: handle, about: [scheme, status] })
        }),
      ]
    : []
  const named = anyOf(['name', 'number', 'handle'], text)
  const customers = search(session, 'listCustomers', ofCustomers, named, async (query) =>
    (await callEndpoint(session, 'listCustomers', { query, signal })).results.flatMap(hitCustomer),
  )
  const wanted: Filter = isUuid(text)
    ? { kind: 'compare', field: 'id', comparison: 'eq', value: text }
    : anyOf(['customer/name', 'reference'], text)
  const payments = search(session, 'listPayments', ofPayments, wanted, async (query) =>
    (await callEndpoint(session, 'listPayments', { query, signal })).results.flatMap(hitPayment),
  )
  const places = await Promise.allSettled([...direct, customers, payments])
  const answers = places.map((place) => (place.status === 'fulfilled' ? place.value : []))
  const hits = new Map(answers.flatMap((found) => found ?? []).map((hit) => [hit.page, hit]))
  return {
    hits: [...hits.values()].slice(0, 2 * most + 3),
    untried: [
      ...(answers.at(-2) === null ? (['Customers'] as const) : []),
      ...(answers.at(-1) === null ? (['Payments'] as const) : []),
    ],
    mindsCase: isCaseSensitive(named, ofCustomers) || isCaseSensitive(wanted, ofPayments),
    failed: places.some(({ status }) => status === 'rejected'),
  }
}
