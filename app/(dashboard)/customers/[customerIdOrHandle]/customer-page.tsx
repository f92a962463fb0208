'use client'

import { type ReactNode, useState } from 'react'
import { useAskedPart } from '@/components/feedback/use-asked-part'
import { ActivitySlice } from '@/components/activity/activity-slice'
import { Link } from '@/components/layout/link'
import { PageHeader } from '@/components/layout/page-header'
import { RelatedPayments, type RelatedPaymentsProps } from '@/components/payments/related-payments'
import { NotesSection } from '@/components/notes/notes-section'
import { StatusBadge } from '@/components/payments/status-badge'
import { FurtherFields } from '@/components/records/data-tree'
import { Timestamp } from '@/components/records/dates'
import { FieldGroup, FieldRow, LeftOutNote } from '@/components/records/field-list'
import { Button, buttonClasses } from '@/components/ui/button'
import { UntrustedText } from '@/components/ui/untrusted-text'
import type { Customer } from '@/lib/api-contract/customers'
import type { CapabilityProofs } from '@/lib/domain/lists/capabilities'
import { buildPagePath } from '@/lib/domain/page-address'
import { nameScheme } from '@/lib/domain/schemes'
import { toCustomerValues } from './customer-update'
import * as m from '@/lib/messages/m'

/** The mandates of a customer with their states and links. */
export function CustomerMandates({ mandates }: Pick<Customer, 'mandates'>) {
  return (
    <section className="border-t border-line py-4">
      <h2 className="mb-2 text-[0.8125rem] font-semibold">{m.customer_mandates()}</h2>
      {mandates === null ? <p className="text-ink-soft">{m.customer_serviceDidNotSay()}</p> : null}
      {mandates?.length === 0 ? <p className="text-ink-soft">{m.customer_noneNoPaymentCan()}</p> : null}
      <ul className="grid gap-2">
        {mandates?.map(({ handle, scheme, state }, index) => {
          const page = buildPagePath('/mandates', handle)
          return (
            // Mandate summaries have no id, and handles may be missing.
            <li key={`${index} ${handle}`} className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <StatusBadge status={state} />
              {page && handle ? (
                <Link
                  href={page}
                  className="min-w-0 wrap-anywhere text-accent-ink underline decoration-accent-ink/35 underline-offset-2 hover:decoration-current"
                >
                  <UntrustedText>{handle}</UntrustedText>
                </Link>
              ) : (
                <span>{m.customer_withoutAHandle()}</span>
              )}
              <span className="text-ink-soft">
                {scheme ? <UntrustedText>{nameScheme(scheme) ?? scheme}</UntrustedText> : m.customer_schemeNotSaid()}
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

const loadDialog = async () => (await import('./delete-customer')).DeleteCustomer

/** "Delete customer" with its dialog, loaded on demand. */
export function DeleteCustomerButton(props: { customer: Customer & { id: string }; proofs: CapabilityProofs }) {
  const [open, setOpen] = useState(false)
  const { part: Dialog } = useAskedPart(open, loadDialog, () => setOpen(false))
  return (
    <>
      <Button tone="quiet-danger" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {m.customer_deleteCustomer()}
      </Button>
      {open && Dialog ? <Dialog {...props} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

const SHOWN_FIELDS = ['id', 'name', 'handle', 'number', 'createdAt', 'modifiedAt', 'mandates']
const ADDRESS_FIELDS = ['addressLine1', 'addressLine2', 'postalCode', 'city', 'country']

type CustomerPageProps = {
  customer: Customer
  /** The id or handle in the URL: some records lack an id. */
  idOrHandle: string
  payments: RelatedPaymentsProps | null
  mayManage: boolean
  mayAdminister: boolean
  /** Whether the reader may write notes. */
  mayWrite: boolean
  /** The customer's figures. */
  children: ReactNode
}

/** One customer: record, mandates, payments and actions. */
export function CustomerPage(props: CustomerPageProps) {
  const { customer, idOrHandle, payments, mayManage, mayAdminister, mayWrite, children } = props
  const { id, name, handle, number } = customer
  const values = toCustomerValues(customer)
  const page = buildPagePath('/customers', id ?? handle ?? idOrHandle)
  return (
    <>
      <PageHeader
        title={name ? <UntrustedText>{name}</UntrustedText> : m.customer_customerWithoutAName()}
        about={
          number ? (
            <>
              {m.customer_number()} <UntrustedText>{number}</UntrustedText>
            </>
          ) : null
        }
      >
        {mayAdminister && page ? (
          <Link href={`${page}/kept-data`} className={buttonClasses()}>
            {m.people_openLink()}
          </Link>
        ) : null}
        {mayManage && page ? (
          <Link href={`${page}/edit`} className={buttonClasses()}>
            {m.customer_edit()}
          </Link>
        ) : null}
        {mayManage && id ? (
          <DeleteCustomerButton customer={{ ...customer, id }} proofs={payments?.initialPage.proofs ?? {}} />
        ) : null}
      </PageHeader>
      <div className="@container max-w-page px-4 pb-6 md:px-8">
        {children}
        <LeftOutNote record={customer} />
        <div className="grid gap-x-12 @3xl:grid-cols-2">
          <FieldGroup title={m.customer_customer()}>
            <FieldRow label={m.customer_name()} field="name" value={name} />
            <FieldRow label={m.customer_number()} field="number" value={number} copyable />
            <FieldRow label={m.customer_handle()} field="handle" value={handle} copyable />
            <FieldRow label={m.customer_customerId()} field="id" value={id} copyable />
          </FieldGroup>
          <FieldGroup title={m.customer_address()}>
            <FieldRow label={m.customer_addressLine()} field="addressLine1" value={values.addressLine1} />
            <FieldRow label={m.customer_addressLineLabel()} field="addressLine2" value={values.addressLine2} />
            <FieldRow label={m.customer_postalCode()} field="postalCode" value={values.postalCode} />
            <FieldRow label={m.customer_city()} field="city" value={values.city} />
            <FieldRow label={m.customer_country()} field="country" value={values.country} />
          </FieldGroup>
          <CustomerMandates mandates={customer.mandates} />
          <FieldGroup title={m.customer_dates()}>
            <FieldRow label={m.customer_created()} field="createdAt">
              <Timestamp value={customer.createdAt} />
            </FieldRow>
            <FieldRow label={m.customer_modified()} field="modifiedAt">
              <Timestamp value={customer.modifiedAt} />
            </FieldRow>
          </FieldGroup>
          <FurtherFields record={customer} shown={[...SHOWN_FIELDS, ...ADDRESS_FIELDS]} />
        </div>
      </div>
      {payments ? <RelatedPayments {...payments} /> : null}
      <div className="@container max-w-page px-4 pb-6 md:px-8">
        <NotesSection kind="customer" objectId={id} objectName={name || handle || id || ''} mayWrite={mayWrite} />
        <ActivitySlice kind="customer" ids={[id, handle]} at={customer.modifiedAt} />
      </div>
    </>
  )
}
