'use client'

import { LeftOutNote } from '@/components/left-out-note'
import { PageHeader } from '@/components/page-header'
import { type CollectedProps, CollectedPayments } from '@/components/payments/collected-payments'
import { FieldGroup, FieldRow } from '@/components/payments/field-list'
import { StatusBadge } from '@/components/payments/status-badge'
import { FurtherFields, SchemeData } from '@/components/record-sections'
import { Said } from '@/components/said'
import type { Mandate } from '@/lib/contract/mandates'
import { writePageAddress } from '@/lib/format/page-address'
import * as words from '@/lib/words/mandate'
import { Link } from '@/components/link'

const shown = ['id', 'handle', 'scheme', 'status', 'schemeData', 'customer']

/** One mandate: what the service says of it, its payer, and the payments collected on it. Nothing here can be changed. */
export function MandatePage({ mandate, payments }: { mandate: Mandate; payments: CollectedProps | null }) {
  const { id, handle, scheme, status, schemeData, customer } = mandate
  const page = writePageAddress('/customers', customer?.id || customer?.handle)
  return (
    <>
      <PageHeader
        title={handle || id ? <Said>{words.mandate(handle || id || '')}</Said> : words.mandateLabel}
        about={words.readOnlyAMandate}
      />
      <div className="@container max-w-5xl px-4 pb-6 md:px-8">
        <LeftOutNote record={mandate} />
        <div className="grid gap-x-12 @3xl:grid-cols-2">
          <FieldGroup title={words.mandateLabel}>
            <FieldRow label={words.state} field="status">
              <StatusBadge status={status} />
            </FieldRow>
            <FieldRow label={words.scheme} field="scheme" value={scheme} />
            <FieldRow label={words.handle} field="handle" value={handle} copyable />
            <FieldRow label={words.mandateId} field="id" value={id} copyable />
          </FieldGroup>
          <FieldGroup title={words.customer}>
            <FieldRow label={words.name} field="customer.name" value={customer?.name}>
              {customer?.name && page ? (
                <Link
                  href={page}
                  className="min-w-0 text-accent-ink underline decoration-accent-ink/35 underline-offset-2 hover:decoration-current"
                >
                  <Said>{customer.name}</Said>
                </Link>
              ) : null}
            </FieldRow>
            <FieldRow label={words.number} field="customer.number" value={customer?.number} copyable />
            <FieldRow label={words.customerHandle} field="customer.handle" value={customer?.handle} copyable />
            <FieldRow label={words.customerId} field="customer.id" value={customer?.id} copyable />
          </FieldGroup>
          <SchemeData value={schemeData} />
          <FurtherFields record={mandate} shown={shown} />
        </div>
      </div>
      {payments ? <CollectedPayments {...payments} /> : null}
    </>
  )
}
