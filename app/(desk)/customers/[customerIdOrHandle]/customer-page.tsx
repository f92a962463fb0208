'use client'

import { ActivitySlice } from '@/components/activity/activity-slice'
import { LeftOutNote } from '@/components/left-out-note'
import { PageHeader } from '@/components/page-header'
import { type CollectedProps, CollectedPayments } from '@/components/payments/collected-payments'
import { FieldGroup, FieldRow } from '@/components/payments/field-list'
import { FurtherFields } from '@/components/record-sections'
import { Said } from '@/components/said'
import { Timestamp } from '@/components/timestamp'
import { buttonClasses } from '@/components/ui/button'
import type { Customer } from '@/lib/contract/customers'
import { writePageAddress } from '@/lib/format/page-address'
import { readSaidCustomer } from '@/lib/browser/plan-customer-update'
import * as words from '@/lib/words/customer'
import { CustomerMandates } from './customer-mandates'
import { DeleteCustomerButton } from './delete-customer-button'
import { Link } from '@/components/link'

const shown = ['id', 'name', 'handle', 'number', 'createdAt', 'modifiedAt', 'mandates']
const address = ['addressLine1', 'addressLine2', 'postalCode', 'city', 'country']

type CustomerPageProps = {
  customer: Customer
  /** What the record was asked for by: some do not say their id. */
  idOrHandle: string
  payments: CollectedProps | null
  mayManage: boolean
}

/** One customer: what the service says, the mandates, the payments, and what can be done. */
export function CustomerPage({ customer, idOrHandle, payments, mayManage }: CustomerPageProps) {
  const { id, name, handle, number } = customer
  const said = readSaidCustomer(customer)
  const page = writePageAddress('/customers', id ?? handle ?? idOrHandle)
  return (
    <>
      <PageHeader
        title={name ? <Said>{name}</Said> : words.customerWithoutAName}
        about={
          number ? (
            <>
              {words.number} <Said>{number}</Said>
            </>
          ) : null
        }
      >
        {mayManage && page ? (
          <Link href={`${page}/edit`} className={buttonClasses()}>
            {words.edit}
          </Link>
        ) : null}
        {mayManage && id ? (
          <DeleteCustomerButton customer={{ ...customer, id }} proofs={payments?.first.proofs ?? {}} />
        ) : null}
      </PageHeader>
      <div className="@container max-w-5xl px-4 pb-6 md:px-8">
        <LeftOutNote record={customer} />
        <div className="grid gap-x-12 @3xl:grid-cols-2">
          <FieldGroup title={words.customer}>
            <FieldRow label={words.name} field="name" value={name} />
            <FieldRow label={words.number} field="number" value={number} copyable />
            <FieldRow label={words.handle} field="handle" value={handle} copyable />
            <FieldRow label={words.customerId} field="id" value={id} copyable />
          </FieldGroup>
          <FieldGroup title={words.address}>
            <FieldRow label={words.addressLine} field="addressLine1" value={said.addressLine1} />
            <FieldRow label={words.addressLineLabel} field="addressLine2" value={said.addressLine2} />
            <FieldRow label={words.postalCode} field="postalCode" value={said.postalCode} />
            <FieldRow label={words.city} field="city" value={said.city} />
            <FieldRow label={words.country} field="country" value={said.country} />
          </FieldGroup>
          <CustomerMandates mandates={customer.mandates} />
          <FieldGroup title={words.dates}>
            <FieldRow label={words.created} field="createdAt">
              <Timestamp value={customer.createdAt} />
            </FieldRow>
            <FieldRow label={words.modified} field="modifiedAt">
              <Timestamp value={customer.modifiedAt} />
            </FieldRow>
          </FieldGroup>
          <FurtherFields record={customer} shown={[...shown, ...address]} />
        </div>
        <ActivitySlice kind="customer" ids={[id, handle]} at={customer.modifiedAt} />
      </div>
      {payments ? <CollectedPayments {...payments} /> : null}
    </>
  )
}
