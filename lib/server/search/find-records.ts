import { isDeepStrictEqual } from 'node:util'
import { capabilitiesFor, type ListId, isCaseSensitive, type CapabilityProofs } from '@/lib/domain/lists/capabilities'
import { foldAccents } from '@/lib/api-contract/fold-text'
import type { Customer } from '@/lib/api-contract/customers'
import { type Filter, formatFilter } from '@/lib/api-contract/filter'
import { customerSearch, findUncompared, paymentSearch, searchFor } from '@/lib/domain/lists/text-search'
import { explainSegment } from '@/lib/api-contract/path-segment'
import type { Payment } from '@/lib/api-contract/payments'
import type { SearchHit, SearchReply } from '@/lib/domain/search'
import { buildPagePath } from '@/lib/domain/page-address'
import { getConnection } from '../upstream/connection'
import { probeCapabilities, readCapabilities } from '../upstream/capabilities'
import { AppError } from '../runtime/app-error'
import { getSettings } from '../runtime/settings'
import { callEndpoint } from '../upstream/call-endpoint'
import type { Session } from '../auth/session'

const MAX_HITS = 5
const TIMEOUT_MS = 5_000

/** Hits of one source, or why it cannot answer this query. */
type SourceHits = SearchHit[] | 'untried' | 'unsupported'

type RecordReference = { id: string | null; handle: string | null }

function toHit(
  kind: SearchHit['kind'],
  section: `/${string}`,
  { id, handle }: RecordReference,
  words: { title: string | null; about: readonly (string | null)[] },
): SearchHit[] {
  const page = buildPagePath(section, id ?? handle)
  const about = words.about.filter((word) => word !== null && word !== '').join(' · ')
  return page ? [{ kind, page, title: words.title || handle || id || kind, about }] : []
}

function toCustomerHit({ id, handle, name, number }: Pick<Customer, 'id' | 'handle' | 'name' | 'number'>): SearchHit[] {
  return toHit('Customer', '/customers', { id, handle }, { title: name, about: [number, handle] })
}

function toPaymentHit({ id, handle, reference, status, customer, ...payment }: Payment): SearchHit[] {
  const { amount, currency, paymentDate } = payment
  return toHit('Payment', '/payments', { id, handle }, { title: reference, about: [customer?.name ?? null] }).map(
    (hit) => ({ ...hit, status, payment: { amount, currency, paymentDate } }),
  )
}

/** How well a hit fits: 0 when the text is its name, number or key, 1 when its name begins with it, else 2. */
function rank({ title, about, page }: SearchHit, text: string): number {
  const wanted = foldAccents(text.trim())
  const names = [title, ...about.split(' · '), decodeURIComponent(page.split('/').at(-1) ?? '')].map(foldAccents)
  return names.includes(wanted) ? 0 : foldAccents(title).startsWith(wanted) ? 1 : 2
}

/** A missing record or an invalid id is an empty result, not a failure. */
async function lookup(query: () => Promise<SearchHit[]>): Promise<SourceHits> {
  try {
    return await query()
  } catch (error) {
    const isNoRecord =
      error instanceof AppError && ['not-found', 'bad-request', 'upstream-refused'].includes(error.code)
    if (isNoRecord) return []
    throw error
  }
}

/** Searches a list, if the filter is proven. */
async function searchList(
  session: Session,
  list: ListId,
  proofs: CapabilityProofs,
  filter: Filter | null,
  query: (query: { filter: string; limit: string }) => Promise<SearchHit[]>,
): Promise<SourceHits> {
  if (!filter) return []
  const capabilities = capabilitiesFor(filter)
  if (capabilities.some((capability) => proofs[capability] === false)) return 'unsupported'
  if (capabilities.some((capability) => !(capability in proofs))) {
    // Not awaited: the proof serves the next search.
    probeCapabilities(session, list).catch(() => undefined)
    return 'untried'
  }
  return lookup(() => query({ filter: formatFilter(filter), limit: String(MAX_HITS) }))
}

/** Searches single records by id or handle, and customers and payments by text. Sources fail independently. */
export async function findRecords(session: Session, text: string): Promise<SearchReply> {
  const [ofCustomers, ofPayments] = await Promise.all([
    readCapabilities(session, 'listCustomers'),
    readCapabilities(session, 'listPayments'),
  ])
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const isSegment = !/\s/u.test(text) && explainSegment(text) === null
  const direct = isSegment
    ? [
        lookup(async () =>
          toCustomerHit(await callEndpoint(session, 'getCustomer', { params: { customerIdOrHandle: text }, signal })),
        ),
        lookup(async () => {
          const mandate = await callEndpoint(session, 'getMandate', { params: { mandateIdOrHandle: text }, signal })
          const { handle, scheme, status, customer } = mandate
          const about = [customer?.name ?? null, scheme]
          return toHit('Mandate', '/mandates', mandate, { title: handle, about }).map((hit) => ({ ...hit, status }))
        }),
        lookup(async () => {
          const agreement = await callEndpoint(session, 'getAgreement', {
            params: { agreementIdOrHandle: text },
            signal,
          })
          const { handle, scheme, status } = agreement
          return toHit('Agreement', '/agreements', agreement, { title: handle, about: [scheme] }).map((hit) => ({
            ...hit,
            status,
          }))
        }),
      ]
    : []
  // A customer's id is read directly above.
  const { id: _, ...named } = customerSearch
  const { amounts } = getConnection(session.scope.connectionId).rules
  const uncompared = findUncompared(ofPayments)
  const context = { amounts, zone: getSettings().SCHEME_ZONE, uncompared }
  const ofName = searchFor(text, named, context)
  const customers = searchList(session, 'listCustomers', ofCustomers, ofName, async (query) =>
    (await callEndpoint(session, 'listCustomers', { query, signal })).results.flatMap(toCustomerHit),
  )
  const searchPayments = (filter: Filter | null) =>
    searchList(session, 'listPayments', ofPayments, filter, async (query) =>
      (await callEndpoint(session, 'listPayments', { query, signal })).results.flatMap(toPaymentHit),
    )
  // The payments of an amount would leave no room for the references that hold the number.
  const ofWords = searchFor(text, paymentSearch, { ...context, uncompared: new Set([...uncompared, 'amount']) })
  const ofAmounts = searchFor(text, paymentSearch, context)
  const payments = searchPayments(ofWords)
  const paymentsOfAmounts = payments.then((found) =>
    Array.isArray(found) && found.length < MAX_HITS && !isDeepStrictEqual(ofAmounts, ofWords)
      ? searchPayments(ofAmounts)
      : [],
  )
  const places = await Promise.allSettled([...direct, customers, payments, paymentsOfAmounts])
  const answers = places.map((place) => (place.status === 'fulfilled' ? place.value : []))
  const hits = new Map(answers.flatMap((found) => (Array.isArray(found) ? found : [])).map((hit) => [hit.page, hit]))
  const listsThatAre = (reason: 'untried' | 'unsupported') => [
    ...(answers.at(-3) === reason ? (['Customers'] as const) : []),
    ...(answers.slice(-2).includes(reason) ? (['Payments'] as const) : []),
  ]
  return {
    hits: [...hits.values()].toSorted((left, right) => rank(left, text) - rank(right, text)).slice(0, 2 * MAX_HITS + 3),
    untried: listsThatAre('untried'),
    unsupported: listsThatAre('unsupported'),
    mindsCase: [[ofName, ofCustomers] as const, [ofAmounts, ofPayments] as const].some(
      ([filter, proofs]) => filter !== null && isCaseSensitive(filter, proofs),
    ),
    failed: places.some(({ status }) => status === 'rejected'),
  }
}
