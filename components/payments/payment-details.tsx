'use client'

import type { Payment } from '@/lib/contract/payments'
import { writePageAddress } from '@/lib/format/page-address'
import * as words from '@/lib/words/payment-details'
import { Amount } from '../amount'
import { BusinessDate } from '../business-date'
import { useDeskFacts } from '../desk-facts'
import { LeftOutNote } from '../left-out-note'
import { Said } from '../said'
import { Timestamp } from '../timestamp'
import { FieldGroup, FieldRow } from './field-list'
import { StatusBadge } from './status-badge'
import { TestBadge } from './test-badge'
import { listUnforeseenFields } from './unforeseen-fields'
import { Link } from '../link'

const linkClasses =
  'min-w-0 text-accent-ink underline decoration-accent-ink/35 underline-offset-2 hover:decoration-current'

/** Every documented field of a payment, grouped and in words, whatever else the service said, and what of it could not be used. */
export function PaymentDetails({ payment }: { payment: Payment }) {
  const { schemeZone } = useDeskFacts()
  const { customer, mandate } = payment
  const customerPage = writePageAddress('/customers', customer?.id)
  const mandatePage = writePageAddress('/mandates', mandate?.id ?? mandate?.handle)
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
                <Said>{customer.name}</Said>
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
                <Said>{mandate.handle}</Said>
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
