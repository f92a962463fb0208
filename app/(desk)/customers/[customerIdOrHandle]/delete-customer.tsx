'use client'

import { useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { ConfirmDialog } from '@/components/confirm-dialog'
import { useDeskFacts } from '@/components/desk-facts'
import { tellDone } from '@/components/notices/tell-done'
import { Said } from '@/components/said'
import { AlertDialogWords } from '@/components/ui/alert-dialog'
import { useCount, type WriteCount } from '@/components/use-count'
import { keepMerchant } from '@/lib/browser/keep-merchant'
import { call } from '@/lib/browser/call'
import { CallError } from '@/lib/browser/call-error'
import { countOpenPayments, type OpenCount } from '@/lib/browser/count-open-payments'
import type { Proofs } from '@/lib/contract/ability'
import type { Customer } from '@/lib/contract/customers'
import { showInvisible } from '@/lib/format/show-invisible'
import * as words from '@/lib/words/customer'

type DeleteCustomerProps = { customer: Customer & { id: string }; proofs: Proofs; onClose: () => void }

/** States in which a mandate permits nothing any more. */
const endedMandates = ['cancelled', 'expired']

function useOpenCount(id: string, proofs: Proofs): OpenCount | 'counting' | 'failed' {
  const { states } = useDeskFacts()
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
      await call('deleteCustomer', { params: { customerId: id } })
    } catch (error) {
      // Gone is what was asked for, whoever did it.
      if (!(error instanceof CallError && error.code === 'not-found')) throw error
    }
    tellDone(
      words.customerDeleted,
      [name, number]
        .filter(Boolean)
        .map((word) => showInvisible(word ?? ''))
        .join(', '),
    )
    router.replace(keepMerchant('/customers'))
    router.refresh()
  }

  return (
    <ConfirmDialog
      title={
        <>
          {words.deleteCustomer} <Said>{number || handle || id}</Said>
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
          {name ? <Said>{name}</Said> : words.withoutAName}
        </p>
        <ul className="mt-1.5 grid gap-1 text-ink-soft">
          <li>
            {live
              ? words.liveMandates(
                  live.map((one) => showInvisible(words.liveMandate(one.handle, one.scheme, one.state))),
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

/** Asks before a customer is deleted: what goes along, and the number or handle typed. */
export function DeleteCustomer(props: DeleteCustomerProps) {
  return <DeleteCustomerDialog {...props} />
}
