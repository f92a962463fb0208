'use client'

import { useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { ConfirmDialog } from '@/components/feedback/confirm-dialog'
import { showToast } from '@/components/feedback/toast-store'
import { useAppConfig, useCount, type WriteCount } from '@/components/layout/app-config'
import { AlertDialogWords } from '@/components/ui/alert-dialog'
import { UntrustedText } from '@/components/ui/untrusted-text'
import type { Customer } from '@/lib/api-contract/customers'
import { type Filter, formatFilter } from '@/lib/api-contract/filter'
import { callEndpoint, CallError } from '@/lib/client/api-client'
import { withMerchantParam } from '@/lib/client/page-context'
import type { CapabilityProofs } from '@/lib/domain/lists/capabilities'
import { followPages } from '@/lib/domain/lists/list-pages'
import { matchesFilter } from '@/lib/domain/lists/row-matching'
import { escapeInvisible } from '@/lib/domain/visible-text'
import * as words from '@/lib/words/customer'

/** Payments still to be collected. `isWhole`: all payments were checked. */
export type OpenCount = { live: number; test: number; looked: number; isWhole: boolean }

const mostPages = 20
const longest = 8_000

/**
 * Counts the payments that match `within` and whose state is not in `ended` (lower case): by a filter where that is
 * proven, else by paging through the list, at most 20 pages or 8 seconds. Throws CallError.
 */
export async function countOpenPayments(
  within: Extract<Filter, { kind: 'compare' }>,
  { proofs, ended, signal }: { proofs: CapabilityProofs; ended: readonly string[]; signal: AbortSignal },
): Promise<OpenCount> {
  const canFilter = proofs[`eq:${within.field}`] === true
  const query = {
    ...(canFilter && { filter: formatFilter(within) }),
    limit: 100,
  }
  const started = performance.now()
  const follow = followPages()
  const count: OpenCount = { live: 0, test: 0, looked: 0, isWhole: false }
  let after: string | undefined
  for (let page = 0; page < mostPages && performance.now() - started < longest; page += 1) {
    const { results, continuation } = await callEndpoint('listPayments', { query: { ...query, after }, signal })
    count.looked += results.length
    for (const payment of results) {
      if (!matchesFilter(within, payment) || ended.includes(payment.status?.trim().toLowerCase() ?? '')) continue
      count[payment.test ? 'test' : 'live'] += 1
    }
    const next = follow(continuation)
    if (next.kind === 'end') return { ...count, isWhole: true }
    if (next.kind === 'incomplete') return count
    after = next.after
  }
  return count
}

type DeleteCustomerProps = { customer: Customer & { id: string }; proofs: CapabilityProofs; onClose: () => void }

/** Final states of mandates. */
const endedMandates = ['cancelled', 'expired']

function useOpenCount(id: string, proofs: CapabilityProofs): OpenCount | 'counting' | 'failed' {
  const { states } = useAppConfig()
  const { data, isError } = useQuery({
    queryKey: ['open-payments', id],
    queryFn: ({ signal }) => {
      const within = { kind: 'compare', field: 'customer/id', comparison: 'eq', value: id } as const
      return countOpenPayments(within, { proofs, ended: [...states.cancelled, ...states.final], signal })
    },
  })
  return data ?? (isError ? 'failed' : 'counting')
}

function describeCount(count: OpenCount | 'counting' | 'failed', formatCount: WriteCount): string {
  if (count === 'counting') return words.paymentsStillToBeCollected
  if (count === 'failed') return words.paymentsStillToBeCollectedTheService
  const { live, test, looked, isWhole } = count
  const counted = [formatCount(live), formatCount(test)] as const
  return isWhole ? words.toBeCollected(...counted) : words.toBeCollectedAtLeast(...counted, looked, formatCount(looked))
}

function DeleteCustomerDialog({ customer, proofs, onClose }: DeleteCustomerProps) {
  const { id, name, number, handle, mandates } = customer
  const router = useRouter()
  const count = useOpenCount(id, proofs)
  const formatCount = useCount()
  const live = mandates?.filter(({ state }) => !endedMandates.includes(state?.trim().toLowerCase() ?? ''))
  const typed = [number, handle].filter((word): word is string => Boolean(word?.trim()))

  async function run(): Promise<void> {
    try {
      await callEndpoint('deleteCustomer', { params: { customerId: id } })
    } catch (error) {
      // Already deleted, which is the goal.
      if (!(error instanceof CallError && error.code === 'not-found')) throw error
    }
    showToast(
      words.customerDeleted,
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
          {words.deleteCustomer} <UntrustedText>{number || handle || id}</UntrustedText>
        </>
      }
      typed={{
        label: number ? words.customerNumberOrHandle : words.handle,
        anyOf: typed.length > 0 ? typed.map((word) => word.trim()) : [id],
      }}
      action={words.deleteCustomer}
      keep={words.keepCustomer}
      run={run}
      onClose={onClose}
    >
      <div className="rounded-lg border border-line bg-canvas px-4 py-3">
        <p className="line-clamp-4 text-base font-semibold wrap-anywhere">
          {name ? <UntrustedText>{name}</UntrustedText> : words.withoutAName}
        </p>
        <ul className="mt-1.5 grid gap-1 text-ink-soft">
          <li>
            {live
              ? words.liveMandates(
                  live.map((one) => escapeInvisible(words.liveMandate(one.handle, one.scheme, one.state))),
                )
              : words.liveMandatesNotSaid}
          </li>
          <li aria-live="polite">{describeCount(count, formatCount)}</li>
        </ul>
      </div>
      <AlertDialogWords>{words.thisCannotBeTakenBack}</AlertDialogWords>
    </ConfirmDialog>
  )
}

/** Confirms the deletion of a customer: lists what is affected and asks for the number or handle. */
export function DeleteCustomer(props: DeleteCustomerProps) {
  return <DeleteCustomerDialog {...props} />
}
