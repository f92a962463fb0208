'use client'

import { ChevronRight } from 'lucide-react'
import type { Payment } from '@/lib/api-contract/payments'
import { isOmissionsField } from '@/lib/api-contract/record-fields'
import { nameScheme } from '@/lib/domain/schemes'
import { buildPagePath } from '@/lib/domain/page-address'
import { useAppConfig } from '../layout/app-config'
import { Link } from '../layout/link'
import { BusinessDate, Timestamp } from '../records/dates'
import { FieldGroup, FieldRow, LeftOutNote } from '../records/field-list'
import { UntrustedText } from '../ui/untrusted-text'
import { Amount } from './amount'
import { TestBadge } from './badges'
import { PaymentStory } from './payment-story'
import * as m from '@/lib/messages/m'

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

type Names = { customerPage: string | null; mandatePage: string | null }

/** Who pays for what, and through which mandate. */
function AboutPayment({ payment, customerPage, mandatePage }: Names & { payment: Payment }) {
  const { customer, mandate } = payment
  const scheme = mandate?.scheme ? (nameScheme(mandate.scheme) ?? mandate.scheme) : null
  return (
    <FieldGroup title={m.paymentDetails_about()}>
      <FieldRow label={m.paymentDetails_customer()} field="customer.name" value={customer?.name}>
        {customer?.name && customerPage ? (
          <Link href={customerPage} className={linkClasses}>
            <UntrustedText>{customer.name}</UntrustedText>
          </Link>
        ) : null}
      </FieldRow>
      <FieldRow label={m.paymentDetails_description()} field="description" value={payment.description} />
      <FieldRow label={m.paymentDetails_reference()} field="reference" value={payment.reference} copyable />
      <FieldRow label={m.paymentDetails_scheme()} field="scheme" value={scheme} />
      <FieldRow label={m.paymentDetails_mandate()} field="mandate.handle" value={mandate?.handle} copyable>
        {mandate?.handle && mandatePage ? (
          <Link href={mandatePage} className={linkClasses}>
            <UntrustedText>{mandate.handle}</UntrustedText>
          </Link>
        ) : null}
      </FieldRow>
    </FieldGroup>
  )
}

/** The record as the service sent it, folded away. */
export function TechnicalDetails({ payment }: { payment: Payment }) {
  const { schemeZone } = useAppConfig()
  const { customer, mandate } = payment
  const further = listUnforeseenFields(payment)
  return (
    <details className="group border-t border-line py-2" data-technical="">
      <summary className="flex min-h-9 cursor-pointer items-center gap-1.5 text-[0.8125rem] font-semibold max-md:min-h-11">
        <ChevronRight aria-hidden className="size-4 text-ink-soft group-open:rotate-90" />
        {m.paymentDetails_technicalDetails()}
      </summary>
      <div className="grid gap-x-12 @3xl:grid-cols-2">
        <FieldGroup title={m.paymentDetails_identifiers()}>
          <FieldRow label={m.paymentDetails_paymentId()} field="id" value={payment.id} copyable />
          <FieldRow label={m.paymentDetails_handle()} field="handle" value={payment.handle} copyable />
          <FieldRow label={m.paymentDetails_customerId()} field="customer.id" value={customer?.id} copyable />
          <FieldRow label={m.paymentDetails_mandateId()} field="mandate.id" value={mandate?.id} copyable />
          <FieldRow label={m.paymentDetails_scheme()} field="mandate.scheme" value={mandate?.scheme} />
        </FieldGroup>
        <FieldGroup title={m.paymentDetails_collection()}>
          <FieldRow label={m.paymentDetails_amount()} field="amount">
            <Amount amount={payment.amount} currency={payment.currency} />
          </FieldRow>
          <FieldRow label={m.paymentDetails_currency()} field="currency" value={payment.currency} />
          <FieldRow label={m.paymentDetails_state()} field="status" value={payment.status} />
          <FieldRow label={m.paymentDetails_mode()} field="test">
            {payment.test === false ? m.paymentDetails_live() : <TestBadge test={payment.test} />}
          </FieldRow>
        </FieldGroup>
        <FieldGroup title={m.paymentDetails_dates()} note={m.paymentDetails_daysIn({ schemeZone })}>
          <FieldRow label={m.paymentDetails_scheduleDate()} field="scheduleDate">
            <BusinessDate value={payment.scheduleDate} />
          </FieldRow>
          <FieldRow label={m.paymentDetails_paymentDate()} field="paymentDate">
            <BusinessDate value={payment.paymentDate} />
          </FieldRow>
          <FieldRow label={m.paymentDetails_settlementDate()} field="settlementDate">
            <BusinessDate value={payment.settlementDate} />
          </FieldRow>
          <FieldRow label={m.paymentDetails_created()} field="createdAt">
            <Timestamp value={payment.createdAt} />
          </FieldRow>
          <FieldRow label={m.paymentDetails_modified()} field="modifiedAt">
            <Timestamp value={payment.modifiedAt} />
          </FieldRow>
        </FieldGroup>
        {further.length > 0 ? (
          <FieldGroup title={m.paymentDetails_everythingElseTheServiceSaid()}>
            {further.map(({ name, value }) => (
              <FieldRow key={name} label={name} field={name} value={value} />
            ))}
          </FieldGroup>
        ) : null}
      </div>
    </details>
  )
}

/** What a payment is about and what happens to it; all else that the service sent is folded away. */
export function PaymentDetails({ payment, at }: { payment: Payment; at: string | null }) {
  const { customer, mandate } = payment
  return (
    <div className="@container">
      <LeftOutNote record={payment} />
      <div className="grid gap-x-12 @3xl:grid-cols-2">
        <PaymentStory payment={payment} at={at} />
        <AboutPayment
          payment={payment}
          customerPage={buildPagePath('/customers', customer?.id)}
          mandatePage={buildPagePath('/mandates', mandate?.id ?? mandate?.handle)}
        />
      </div>
    </div>
  )
}
