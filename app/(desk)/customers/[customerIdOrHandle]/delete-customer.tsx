'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { ConfirmDialog } from '@/components/confirm-dialog'
import { formatCount } from '@/components/data-table/walk-words'
import { useDeskFacts } from '@/components/desk-facts'
import { Said } from '@/components/said'
import { AlertDialogWords } from '@/components/ui/alert-dialog'
import { call } from '@/lib/browser/call'
import { CallError } from '@/lib/browser/call-error'
import { countOpenPayments, type OpenCount } from '@/lib/browser/count-open-payments'
import type { Proofs } from '@/lib/contract/ability'
import type { Customer } from '@/lib/contract/customers'

type DeleteCustomerProps = { customer: Customer & { id: string }; proofs: Proofs; onClose: () => void }

/** States in which a mandate permits nothing any more. */
const endedMandates = ['cancelled', 'expired']

function useOpenCount(id: string, proofs: Proofs): OpenCount | 'counting' | 'failed' {
  const { states } = useDeskFacts()
  const [count, setCount] = useState<OpenCount | 'counting' | 'failed'>('counting')
  useEffect(() => {
    const request = new AbortController()
    const within = { kind: 'compare', field: 'customer/id', comparison: 'eq', value: id } as const
    const ended = [...states.cancelled, ...states.final]
    countOpenPayments(within, { proofs, ended, signal: request.signal }).then(setCount, () => {
      if (!request.signal.aborted) setCount('failed')
    })
    return () => request.abort()
  }, [id, proofs, states])
  return count
}

function describeCount(count: OpenCount | 'counting' | 'failed'): string {
  if (count === 'counting') return 'Payments still to be collected: being counted…'
  if (count === 'failed') return 'Payments still to be collected: the service could not be asked.'
  const { live, test, looked, isWhole } = count
  const words = `Payments still to be collected: ${isWhole ? '' : 'at least '}${formatCount(live)} live, ${formatCount(test)} test`
  return isWhole ? `${words}.` : `${words}, among the ${formatCount(looked)} payments that were looked at.`
}

/** Asks before a customer is deleted: what goes along, and the number or handle typed. */
export function DeleteCustomer({ customer, proofs, onClose }: DeleteCustomerProps) {
  const { id, name, number, handle, mandates } = customer
  const router = useRouter()
  const count = useOpenCount(id, proofs)
  const live = mandates?.filter(({ state }) => !endedMandates.includes(state?.trim().toLowerCase() ?? ''))
  const words = [number, handle].filter((word): word is string => Boolean(word?.trim()))

  async function run(): Promise<void> {
    try {
      await call('deleteCustomer', { params: { customerId: id } })
    } catch (error) {
      // Gone is what was asked for, whoever did it.
      if (!(error instanceof CallError && error.code === 'not-found')) throw error
    }
    router.replace('/customers')
    router.refresh()
  }

  return (
    <ConfirmDialog
      title={`Delete customer ${number || handle || id}`}
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
              ? `Live mandates: ${live.length === 0 ? 'none' : live.map((one) => `${one.handle || 'without a handle'} (${one.scheme || 'scheme not said'}, ${one.state || 'state not said'})`).join(', ')}.`
              : 'Live mandates: the service did not say.'}
          </li>
          <li aria-live="polite">{describeCount(count)}</li>
        </ul>
      </div>
      <AlertDialogWords>
        This cannot be taken back. The interface does not say what becomes of mandates and payments; the service may
        refuse while payments are still to be collected.
      </AlertDialogWords>
    </ConfirmDialog>
  )
}
