'use client'

import { useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { ConfirmDialog } from '@/components/feedback/confirm-dialog'
import { showToast } from '@/components/feedback/toast-store'
import { useAppConfig, useFormatCount, type FormatCount } from '@/components/layout/app-config'
import { AlertDialogDescription } from '@/components/ui/alert-dialog'
import { UntrustedText } from '@/components/ui/untrusted-text'
import type { Customer } from '@/lib/api-contract/customers'
import { type Filter, formatFilter } from '@/lib/api-contract/filter'
import { acceptGone, callEndpoint } from '@/lib/client/api-client'
import { withMerchantParam } from '@/lib/client/page-context'
import type { CapabilityProofs } from '@/lib/domain/lists/capabilities'
import { followPages } from '@/lib/domain/lists/list-pages'
import { matchesFilter } from '@/lib/domain/lists/row-matching'
import { escapeInvisible } from '@/lib/domain/text/visible-text'
import { nameScheme } from '@/lib/domain/schemes'
import { describeState } from '@/lib/domain/states'
import * as m from '@/lib/messages/m'

/** Payments still to be collected, `unsaid` those without a mode. `isWhole`: all payments were checked, as far as can be seen. */
export type OpenCount = { live: number; test: number; unsaid: number; scanned: number; isWhole: boolean }

const MAX_PAGES = 20
const MAX_DURATION_MS = 8_000

/**
 * Counts the payments that match `baseFilter` and whose state is not in `ended` (lower case): by a filter where that is
 * proven, else by paging through the list, at most 20 pages or 8 seconds. Throws CallError.
 */
export async function countOpenPayments(
  baseFilter: Extract<Filter, { kind: 'compare' }>,
  { proofs, ended, signal }: { proofs: CapabilityProofs; ended: readonly string[]; signal: AbortSignal },
): Promise<OpenCount> {
  const canFilter = proofs[`eq:${baseFilter.field}`] === true
  const query = {
    ...(canFilter && { filter: formatFilter(baseFilter) }),
    limit: 100,
  }
  const started = performance.now()
  const nextPage = followPages()
  const count: OpenCount = { live: 0, test: 0, unsaid: 0, scanned: 0, isWhole: false }
  const seen = new Set<string | null>()
  let isWhole = true
  let after: string | undefined
  for (let page = 0; page < MAX_PAGES && performance.now() - started < MAX_DURATION_MS; page += 1) {
    const { results, unreadable, continuation } = await callEndpoint('listPayments', {
      query: { ...query, after },
      signal,
    })
    isWhole &&= unreadable === 0
    count.scanned += results.length
    // The list moved, and another may have been passed over.
    isWhole &&= !results.some((payment) => payment.id !== null && seen.has(payment.id))
    for (const payment of results) {
      if (payment.id !== null && seen.has(payment.id)) continue
      seen.add(payment.id)
      if (!matchesFilter(baseFilter, payment) || ended.includes(payment.status?.trim().toLowerCase() ?? '')) continue
      count[payment.test === null ? 'unsaid' : payment.test ? 'test' : 'live'] += 1
    }
    const next = nextPage(continuation)
    if (next.kind !== 'more') return { ...count, isWhole: next.kind === 'end' && isWhole }
    after = next.after
  }
  return count
}

type DeleteCustomerProps = { customer: Customer & { id: string }; proofs: CapabilityProofs; onClose: () => void }

/** Final states of mandates. */
const FINAL_MANDATE_STATES = ['cancelled', 'expired']

function useOpenCount(id: string, proofs: CapabilityProofs): OpenCount | 'counting' | 'failed' {
  const { states } = useAppConfig()
  const { data, isError } = useQuery({
    queryKey: ['open-payments', id],
    queryFn: ({ signal }) => {
      const baseFilter = { kind: 'compare', field: 'customer/id', comparison: 'eq', value: id } as const
      return countOpenPayments(baseFilter, { proofs, ended: [...states.cancelled, ...states.final], signal })
    },
  })
  return data ?? (isError ? 'failed' : 'counting')
}

function describeCount(count: OpenCount | 'counting' | 'failed', formatCount: FormatCount): string {
  if (count === 'counting') return m.customer_paymentsStillToBeCollected()
  if (count === 'failed') return m.customer_paymentsStillToBeCollectedTheService()
  const { live, test, unsaid, scanned, isWhole } = count
  const counted = { live: formatCount(live), test: formatCount(test) }
  const found = isWhole
    ? m.customer_toBeCollected(counted)
    : m.customer_toBeCollectedAtLeast({ ...counted, count: scanned, looked: formatCount(scanned) })
  return unsaid === 0
    ? found
    : `${found} ${m.customer_toBeCollectedModeNotSaid({ count: unsaid, written: formatCount(unsaid) })}`
}

function DeleteCustomerDialog({ customer, proofs, onClose }: DeleteCustomerProps) {
  const { id, name, number, handle, mandates } = customer
  const router = useRouter()
  const count = useOpenCount(id, proofs)
  const formatCount = useFormatCount()
  const live = mandates?.filter(({ state }) => !FINAL_MANDATE_STATES.includes(state?.trim().toLowerCase() ?? ''))
  const typed = [number, handle].filter((word): word is string => Boolean(word?.trim()))

  async function run(): Promise<void> {
    await callEndpoint('deleteCustomer', { params: { customerId: id } }).catch(acceptGone)
    showToast(
      m.customer_customerDeleted(),
      [name, number]
        .filter(Boolean)
        .map((word) => escapeInvisible(word ?? ''))
        .join(', '),
    )
    router.replace(withMerchantParam('/customers'))
    router.refresh()
  }

  return (
    <ConfirmDialog
      title={
        <>
          {m.customer_deleteCustomer()} <UntrustedText>{number || handle || id}</UntrustedText>
        </>
      }
      typed={{
        label: number
          ? m.customer_customerNumberOrHandle()
          : typed.length > 0
            ? m.customer_handle()
            : m.customer_customerId(),
        anyOf: typed.length > 0 ? typed.map((word) => word.trim()) : [id],
      }}
      confirmLabel={m.customer_deleteCustomer()}
      cancelLabel={m.customer_keepCustomer()}
      run={run}
      onClose={onClose}
    >
      <div className="rounded-lg border border-line bg-canvas px-4 py-3">
        <p className="line-clamp-4 text-base font-semibold wrap-anywhere">
          {name ? <UntrustedText>{name}</UntrustedText> : m.customer_withoutAName()}
        </p>
        <ul className="mt-1.5 grid gap-1 text-ink-soft">
          <li>
            {live
              ? m.customer_liveMandates({
                  count: live.length,
                  mandates: live
                    .map(({ handle, scheme, state }) =>
                      escapeInvisible(
                        m.customer_liveMandate({
                          handle: handle || m.customer_withoutAHandle(),
                          scheme: (scheme && (nameScheme(scheme) ?? scheme)) || m.customer_schemeNotSaid(),
                          state: (state && describeState(state)) || m.customer_stateNotSaid(),
                        }),
                      ),
                    )
                    .join(', '),
                })
              : m.customer_liveMandatesNotSaid()}
          </li>
          <li aria-live="polite">{describeCount(count, formatCount)}</li>
        </ul>
      </div>
      <AlertDialogDescription>{m.customer_thisCannotBeTakenBack()}</AlertDialogDescription>
    </ConfirmDialog>
  )
}

/** Confirms the deletion of a customer: lists what is affected and asks for the number or handle. */
export function DeleteCustomer(props: DeleteCustomerProps) {
  return <DeleteCustomerDialog {...props} />
}
