'use client'

import { useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { ConfirmDialog } from '@/components/confirm-dialog'
import { useDeskFacts } from '@/components/desk-facts'
import { tellDone } from '@/components/notices/tell-done'
import { QueryProvider } from '@/components/query-provider'
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
  if (count === 'counting') return 'Payments still to be collected: being counted…'
  if (count === 'failed') return 'Payments still to be collected: the service could not be asked.'
  const { live, test, looked, isWhole } = count
  const words = `Payments still to be collected: ${isWhole ? '' : 'at least '}${formatCount(live)} live, ${formatCount(test)} test`
  return isWhole ? `${words}.` : `${words}, among the ${formatCount(looked)} payments that were looked at.`
}

function DeleteCustomerDialog({ customer, proofs, onClose }: DeleteCustomerProps) {
  const { id, name, number, handle, mandates } = customer
  const router = useRouter()
  const count = useOpenCount(id, proofs)
  const formatCount = useCount()
  const live = mandates?.filter(({ state }) => !endedMandates.includes(state?.trim().toLowerCase() ?? ''))
  const words = [number, handle].filter((word): word is string => Boolean(word?.trim()))

  async function run(): Promise<void> {
    try {
      await call('deleteCustomer', { params: { customerId: id } })
    } catch (error) {
      // Gone is what was asked for, whoever did it.
      if (!(error instanceof CallError && error.code === 'not-found')) throw error
    }
    tellDone(
      'Customer deleted',
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
          Delete customer <Said>{number || handle || id}</Said>
        </>
      }
      typed={{
        label: number ? 'Customer number or handle' : 'Handle',
        anyOf: words.length > 0 ? words.map((word) => word.trim()) : [id],
      }}
      action="Delete customer"
      keep="Keep customer"
      run={run}
      onClose={onClose}
    >
      <div className="rounded-lg border border-line bg-canvas px-4 py-3">
        <p className="text-base font-semibold">{name ? <Said>{name}</Said> : 'Without a name'}</p>
        <ul className="mt-1.5 grid gap-1 text-ink-soft">
          <li>
            {live
              ? `Live mandates: ${live.length === 0 ? 'none' : live.map((one) => showInvisible(`${one.handle || 'without a handle'} (${one.scheme || 'scheme not said'}, ${one.state || 'state not said'})`)).join(', ')}.`
              : 'Live mandates: the service did not say.'}
          </li>
          <li aria-live="polite">{describeCount(count, formatCount)}</li>
        </ul>
      </div>
      <AlertDialogWords>
        This cannot be taken back. Mandates and payments of the customer may be deleted too; the service may refuse
        while payments are still to be collected.
      </AlertDialogWords>
    </ConfirmDialog>
  )
}

/** Asks before a customer is deleted: what goes along, and the number or handle typed. */
export function DeleteCustomer(props: DeleteCustomerProps) {
  return (
    <QueryProvider>
      <DeleteCustomerDialog {...props} />
    </QueryProvider>
  )
}
