'use client'

import type { Payment } from '@/lib/contract/payments'
import { writePageAddress } from '@/lib/format/page-address'
import { Amount } from '../amount'
import { BusinessDate } from '../business-date'
import { useDeskFacts } from '../desk-facts'
import { Said } from '../said'
import { Timestamp } from '../timestamp'
import { FieldGroup, FieldRow } from './field-list'
import { StatusBadge } from './status-badge'
import { TestBadge } from './test-badge'
import { listUnforeseenFields } from './unforeseen-fields'
import { Link } from '../link'

const linkClasses =
  'min-w-0 text-accent-ink underline decoration-accent-ink/35 underline-offset-2 hover:decoration-current'

/** Every documented field of a payment, grouped and in words, and whatever else the service said. */
export function PaymentDetails({ payment }: { payment: Payment }) {
  const { schemeZone } = useDeskFacts()
  const { customer, mandate } = payment
  const customerPage = writePageAddress('/customers', customer?.id)
  const mandatePage = writePageAddress('/mandates', mandate?.id ?? mandate?.handle)
  const further = listUnforeseenFields(payment)
  return (
    <div className="@container">
      <div className="grid gap-x-12 @3xl:grid-cols-2">
        <FieldGroup title="Collection">
          <FieldRow label="Amount" field="amount">
            <Amount amount={payment.amount} currency={payment.currency} className="font-medium" />
          </FieldRow>
          <FieldRow label="Currency" field="currency" value={payment.currency} />
          <FieldRow label="State" field="status">
            <StatusBadge status={payment.status} />
          </FieldRow>
          <FieldRow label="Mode" field="test">
            {payment.test === false ? 'Live' : <TestBadge test={payment.test} />}
          </FieldRow>
          <FieldRow label="Description" field="description" value={payment.description} />
          <FieldRow label="Reference" field="reference" value={payment.reference} copyable />
        </FieldGroup>
        <FieldGroup title="Dates" note={`days in ${schemeZone}`}>
          <FieldRow label="Schedule date" field="scheduleDate">
            <BusinessDate value={payment.scheduleDate} />
          </FieldRow>
          <FieldRow label="Payment date" field="paymentDate">
            <BusinessDate value={payment.paymentDate} />
          </FieldRow>
          <FieldRow label="Settlement date" field="settlementDate">
            <BusinessDate value={payment.settlementDate} />
          </FieldRow>
          <FieldRow label="Created" field="createdAt">
            <Timestamp value={payment.createdAt} />
          </FieldRow>
          <FieldRow label="Modified" field="modifiedAt">
            <Timestamp value={payment.modifiedAt} />
          </FieldRow>
        </FieldGroup>
        <FieldGroup title="Customer">
          <FieldRow label="Name" field="customer.name" value={customer?.name}>
            {customer?.name && customerPage ? (
              <Link href={customerPage} className={linkClasses}>
                <Said>{customer.name}</Said>
              </Link>
            ) : null}
          </FieldRow>
          <FieldRow label="Customer id" field="customer.id" value={customer?.id} copyable />
        </FieldGroup>
        <FieldGroup title="Mandate">
          <FieldRow label="Scheme" field="mandate.scheme" value={mandate?.scheme} />
          <FieldRow label="Mandate handle" field="mandate.handle" value={mandate?.handle} copyable>
            {mandate?.handle && mandatePage ? (
              <Link href={mandatePage} className={linkClasses}>
                <Said>{mandate.handle}</Said>
              </Link>
            ) : null}
          </FieldRow>
          <FieldRow label="Mandate id" field="mandate.id" value={mandate?.id} copyable />
        </FieldGroup>
        <FieldGroup title="Identifiers">
          <FieldRow label="Payment id" field="id" value={payment.id} copyable />
          <FieldRow label="Handle" field="handle" value={payment.handle} copyable />
        </FieldGroup>
        {further.length > 0 ? (
          <FieldGroup title="Everything else the service said">
            {further.map(({ name, value }) => (
              <FieldRow key={name} label={name} field={name} value={value} />
            ))}
          </FieldGroup>
        ) : null}
      </div>
    </div>
  )
}
