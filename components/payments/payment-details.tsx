'use client'

import type { Payment } from '@/lib/api-contract/payments'
import { isOmissionsField } from '@/lib/api-contract/record-fields'
import { buildPagePath } from '@/lib/domain/page-address'
import { useAppConfig } from '../layout/app-config'
import { Link } from '../layout/link'
import { BusinessDate, Timestamp } from '../records/dates'
import { FieldGroup, FieldRow, LeftOutNote } from '../records/field-list'
import { UntrustedText } from '../ui/untrusted-text'
import { Amount } from './amount'
import { TestBadge } from './badges'
import { StatusBadge } from './status-badge'
import * as words from '@/lib/words/payment-details'

const DOCUMENTED_FIELDS: Record<string, readonly string[]> = {
  '': [
    'id',
    'paymentDate',
    'scheduleDate',
    'handle',
    'description',
    'reference',
    'amount',
    'currency',
    'test',
    'status',
    'settlementDate',
    'createdAt',
    'modifiedAt',
    'customer',
    'mandate',
  ],
  customer: ['id', 'name'],
  mandate: ['id', 'handle', 'scheme'],
}

function formatValue(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '—')
}

/** Undocumented fields of a payment (docs/upstream-api.md, section 2): dotted names with their values as text. */
export function listUnforeseenFields(payment: Payment): { name: string; value: string }[] {
  const parts = [
    ['', payment],
    ['customer', payment.customer],
    ['mandate', payment.mandate],
  ] as const
  return parts.flatMap(([prefix, part]) =>
    Object.entries(part ?? {})
      .filter(([name]) => !DOCUMENTED_FIELDS[prefix]?.includes(name) && !isOmissionsField(name))
      .map(([name, value]) => ({ name: prefix ? `${prefix}.${name}` : name, value: formatValue(value) })),
  )
}

const linkClasses =
  'min-w-0 text-accent-ink underline decoration-accent-ink/35 underline-offset-2 hover:decoration-current'

/** All fields of a payment: the documented ones in groups, then undocumented and rejected ones. */
export function PaymentDetails({ payment }: { payment: Payment }) {
  const { schemeZone } = useAppConfig()
  const { customer, mandate } = payment
  const customerPage = buildPagePath('/customers', customer?.id)
  const mandatePage = buildPagePath('/mandates', mandate?.id ?? mandate?.handle)
  const further = listUnforeseenFields(payment)
  return (
    <div className="@container">
      <LeftOutNote record={payment} />
      <div className="grid gap-x-12 @3xl:grid-cols-2">
        <FieldGroup title={words.collection}>
          <FieldRow label={words.amount} field="amount">
            <Amount amount={payment.amount} currency={payment.currency} className="font-medium" />
          </FieldRow>
          <FieldRow label={words.currency} field="currency" value={payment.currency} />
          <FieldRow label={words.state} field="status">
            <StatusBadge status={payment.status} />
          </FieldRow>
          <FieldRow label={words.mode} field="test">
            {payment.test === false ? words.live : <TestBadge test={payment.test} />}
          </FieldRow>
          <FieldRow label={words.description} field="description" value={payment.description} />
          <FieldRow label={words.reference} field="reference" value={payment.reference} copyable />
        </FieldGroup>
        <FieldGroup title={words.dates} note={words.daysIn(schemeZone)}>
          <FieldRow label={words.scheduleDate} field="scheduleDate">
            <BusinessDate value={payment.scheduleDate} />
          </FieldRow>
          <FieldRow label={words.paymentDate} field="paymentDate">
            <BusinessDate value={payment.paymentDate} />
          </FieldRow>
          <FieldRow label={words.settlementDate} field="settlementDate">
            <BusinessDate value={payment.settlementDate} />
          </FieldRow>
          <FieldRow label={words.created} field="createdAt">
            <Timestamp value={payment.createdAt} />
          </FieldRow>
          <FieldRow label={words.modified} field="modifiedAt">
            <Timestamp value={payment.modifiedAt} />
          </FieldRow>
        </FieldGroup>
        <FieldGroup title={words.customer}>
          <FieldRow label={words.name} field="customer.name" value={customer?.name}>
            {customer?.name && customerPage ? (
              <Link href={customerPage} className={linkClasses}>
                <UntrustedText>{customer.name}</UntrustedText>
              </Link>
            ) : null}
          </FieldRow>
          <FieldRow label={words.customerId} field="customer.id" value={customer?.id} copyable />
        </FieldGroup>
        <FieldGroup title={words.mandate}>
          <FieldRow label={words.scheme} field="mandate.scheme" value={mandate?.scheme} />
          <FieldRow label={words.mandateHandle} field="mandate.handle" value={mandate?.handle} copyable>
            {mandate?.handle && mandatePage ? (
              <Link href={mandatePage} className={linkClasses}>
                <UntrustedText>{mandate.handle}</UntrustedText>
              </Link>
            ) : null}
          </FieldRow>
          <FieldRow label={words.mandateId} field="mandate.id" value={mandate?.id} copyable />
        </FieldGroup>
        <FieldGroup title={words.identifiers}>
          <FieldRow label={words.paymentId} field="id" value={payment.id} copyable />
          <FieldRow label={words.handle} field="handle" value={payment.handle} copyable />
        </FieldGroup>
        {further.length > 0 ? (
          <FieldGroup title={words.everythingElseTheServiceSaid}>
            {further.map(({ name, value }) => (
              <FieldRow key={name} label={name} field={name} value={value} />
            ))}
          </FieldGroup>
        ) : null}
      </div>
    </div>
  )
}
