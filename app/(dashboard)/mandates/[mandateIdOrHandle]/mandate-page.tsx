'use client'

import { FieldGroup, FieldRow, LeftOutNote } from '@/components/records/field-list'
import { PageHeader } from '@/components/layout/page-header'
import { type RelatedPaymentsProps, RelatedPayments } from '@/components/payments/related-payments'
import { StatusBadge } from '@/components/payments/status-badge'
import { FurtherFields, SchemeData } from '@/components/records/data-tree'
import { UntrustedText } from '@/components/ui/untrusted-text'
import type { Mandate } from '@/lib/api-contract/mandates'
import { buildPagePath } from '@/lib/domain/page-address'
import { Link } from '@/components/layout/link'
import { describeScheme } from '@/lib/domain/schemes'
import * as m from '@/lib/messages/m'

const SHOWN_FIELDS = ['id', 'handle', 'scheme', 'status', 'schemeData', 'customer']

/** One mandate: record, payer and payments. Read-only. */
export function MandatePage({ mandate, payments }: { mandate: Mandate; payments: RelatedPaymentsProps | null }) {
  const { id, handle, scheme, status, schemeData, customer } = mandate
  const page = buildPagePath('/customers', customer?.id || customer?.handle)
  return (
    <>
      <PageHeader
        title={
          handle || id ? (
            <UntrustedText>{m.mandate_mandate({ id: handle || id || '' })}</UntrustedText>
          ) : (
            m.mandate_mandateLabel()
          )
        }
        about={m.mandate_readOnlyAMandate()}
      />
      <div className="@container max-w-page px-4 pb-6 md:px-8">
        <LeftOutNote record={mandate} />
        <div className="grid gap-x-12 @3xl:grid-cols-2">
          <FieldGroup title={m.mandate_mandateLabel()}>
            <FieldRow label={m.mandate_state()} field="status">
              <StatusBadge status={status} />
            </FieldRow>
            <FieldRow label={m.mandate_scheme()} field="scheme" value={scheme && describeScheme(scheme)} />
            <FieldRow label={m.mandate_handle()} field="handle" value={handle} copyable />
            <FieldRow label={m.mandate_mandateId()} field="id" value={id} copyable />
          </FieldGroup>
          <FieldGroup title={m.mandate_customer()}>
            <FieldRow label={m.mandate_name()} field="customer.name" value={customer?.name}>
              {customer?.name && page ? (
                <Link
                  href={page}
                  className="min-w-0 text-accent-ink underline decoration-accent-ink/35 underline-offset-2 hover:decoration-current"
                >
                  <UntrustedText>{customer.name}</UntrustedText>
                </Link>
              ) : null}
            </FieldRow>
            <FieldRow label={m.mandate_number()} field="customer.number" value={customer?.number} copyable />
            <FieldRow label={m.mandate_customerHandle()} field="customer.handle" value={customer?.handle} copyable />
            <FieldRow label={m.mandate_customerId()} field="customer.id" value={customer?.id} copyable />
          </FieldGroup>
          <SchemeData value={schemeData} />
          <FurtherFields record={mandate} shown={SHOWN_FIELDS} />
        </div>
      </div>
      {payments ? <RelatedPayments {...payments} /> : null}
    </>
  )
}
