'use client'

import { useState } from 'react'
import { useAskedPart } from '@/components/feedback/use-asked-part'
import { ActivitySlice } from '@/components/activity/activity-slice'
import { FieldGroup, FieldRow, LeftOutNote } from '@/components/records/field-list'
import { PageHeader } from '@/components/layout/page-header'
import { StatusBadge } from '@/components/payments/status-badge'
import { TestBadge } from '@/components/payments/badges'
import { FurtherFields, SchemeData } from '@/components/records/data-tree'
import { UntrustedText } from '@/components/ui/untrusted-text'
import { Timestamp } from '@/components/records/dates'
import { Button } from '@/components/ui/button'
import { describeScheme } from '@/lib/domain/schemes'
import type { Agreement } from '@/lib/api-contract/agreements'
import * as m from '@/lib/messages/m'

const SHOWN_FIELDS = [
  'id',
  'handle',
  'scheme',
  'status',
  'schemeData',
  'test',
  'dataSourceHandle',
  'createdAt',
  'modifiedAt',
]

const loadDialog = async () => (await import('./delete-agreement')).DeleteAgreement

function DeleteButton({ agreement }: { agreement: Agreement & { id: string } }) {
  const [open, setOpen] = useState(false)
  const { part: Dialog } = useAskedPart(open, loadDialog, () => setOpen(false))
  return (
    <>
      <Button tone="quiet-danger" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {m.agreement_deleteAgreement()}
      </Button>
      {open && Dialog ? <Dialog agreement={agreement} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

function parseTimestamp(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** One agreement. Agreements are created and deleted, never changed. */
export function AgreementPage({ agreement, mayManage }: { agreement: Agreement; mayManage: boolean }) {
  const { id, handle, scheme, status, schemeData, test, dataSourceHandle, createdAt, modifiedAt } = agreement
  return (
    <>
      <PageHeader
        isNarrow
        title={<UntrustedText>{m.agreement_agreement({ id: handle || id || '' }).trim()}</UntrustedText>}
        about={m.agreement_agreementWithASchemeCannot()}
      >
        {mayManage && id ? <DeleteButton agreement={{ ...agreement, id }} /> : null}
      </PageHeader>
      <div className="@container max-w-page px-4 pb-12 md:px-8">
        <LeftOutNote record={agreement} />
        <div className="grid gap-x-12 @3xl:grid-cols-2">
          <FieldGroup title={m.agreement_agreementLabel()}>
            <FieldRow label={m.agreement_state()} field="status">
              <StatusBadge status={status} />
            </FieldRow>
            <FieldRow label={m.agreement_scheme()} field="scheme" value={scheme && describeScheme(scheme)} />
            <FieldRow label={m.agreement_mode()} field="test">
              {test === false ? m.agreement_live() : <TestBadge test={test} />}
            </FieldRow>
            <FieldRow label={m.agreement_dataSource()} field="dataSourceHandle" value={dataSourceHandle} copyable />
            <FieldRow label={m.agreement_handle()} field="handle" value={handle} copyable />
            <FieldRow label={m.agreement_agreementId()} field="id" value={id} copyable />
          </FieldGroup>
          <SchemeData value={schemeData} />
          <FieldGroup title={m.agreement_dates()}>
            <FieldRow label={m.agreement_created()} field="createdAt">
              <Timestamp value={parseTimestamp(createdAt)} />
            </FieldRow>
            <FieldRow label={m.agreement_modified()} field="modifiedAt">
              <Timestamp value={parseTimestamp(modifiedAt)} />
            </FieldRow>
          </FieldGroup>
          <FurtherFields record={agreement} shown={SHOWN_FIELDS} />
        </div>
        <ActivitySlice kind="agreement" ids={[id, handle]} />
      </div>
    </>
  )
}
