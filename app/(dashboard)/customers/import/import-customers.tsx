'use client'

import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { toProblemInfo } from '@/components/feedback/problem-display'
import { ProblemNotice } from '@/components/feedback/problem-notice'
import { LeaveGuard } from '@/components/forms/leave-guard'
import { useAppConfig } from '@/components/layout/app-config'
import { Timestamp } from '@/components/records/dates'
import { Button } from '@/components/ui/button'
import { UntrustedText } from '@/components/ui/untrusted-text'
import { callDesk, CallError, createUuid } from '@/lib/client/api-client'
import { leave, useFocusContent } from '@/lib/client/page-lifecycle'
import { parseCsv } from '@/lib/domain/csv'
import { type CustomerMapping, guessMapping } from '@/lib/domain/customers/customer-csv'
import type { CustomerImportRequest, CustomerImportView } from '@/lib/domain/customers/customer-import'
import { describeCounts, describeImport } from '@/lib/domain/customers/describe-import'
import { ChooseFile, type ChosenFile, DryRun } from './import-file'
import { ImportProgress } from './import-progress'
import * as m from '@/lib/messages/m'

type EarlierImportsProps = { imports: readonly CustomerImportView[]; onOpen: (view: CustomerImportView) => void }

/** The team's latest imports, any of which can be viewed and resumed. */
export function EarlierImports({ imports, onOpen }: EarlierImportsProps) {
  const { locale } = useAppConfig()
  if (imports.length === 0) return null
  return (
    <section className="grid gap-3">
      <h2 className="text-base font-semibold">{m.customerImport_earlierImports()}</h2>
      <ul className="rounded-lg border border-line bg-surface">
        {imports.map((view) => (
          <li
            key={view.importId}
            className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line px-4 py-2.5 first:border-t-0"
          >
            <span className="min-w-0 flex-1 wrap-anywhere">
              <span className="font-medium">
                <UntrustedText>{view.fileName}</UntrustedText>
              </span>
              <span className="block text-ink-soft">
                {`${describeImport(view)}. ${describeCounts(view.counts, locale)}.`}
              </span>
              <span className="block text-[0.8125rem] text-ink-soft">
                <Timestamp value={view.createdAt} />, {view.startedBy}
              </span>
            </span>
            <Button
              size="small"
              aria-label={m.customerImport_openImport({ fileName: view.fileName })}
              onClick={() => onOpen(view)}
            >
              {m.customerImport_open()}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The customer import: choose a file, map columns, dry run, then creation on the server. */
export function ImportCustomers({ imports }: { imports: readonly CustomerImportView[] }) {
  const router = useRouter()
  const [file, setFile] = useState<(ChosenFile & { id: string }) | null>(null)
  const [mapping, setMapping] = useState<CustomerMapping>({})
  const [running, setRunning] = useState<CustomerImportView | null>(null)
  useFocusContent(running !== null)
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (body: CustomerImportRequest) => callDesk<CustomerImportView>('/imports', { method: 'POST', body }),
    onSuccess: setRunning,
  })

  function choose(chosen: ChosenFile | null): void {
    setFile(chosen && { ...chosen, id: createUuid() })
    setMapping(chosen ? guessMapping(parseCsv(chosen.text).rows[0]?.cells ?? []) : {})
    reset()
  }

  function start(choices: Pick<CustomerImportRequest, 'takesRepeats' | 'existingLines'>): void {
    if (file && !isPending) mutate({ fileName: file.fileName, text: file.text, mapping, ...choices })
  }

  function leaveRun(): void {
    setRunning(null)
    setFile(null)
    // It is one of the earlier imports now.
    router.refresh()
  }

  if (running) return <ImportProgress initialView={running} onLeave={leaveRun} />
  return (
    <div className="grid max-w-4xl grid-cols-1 gap-8 px-4 pb-12 md:px-8">
      {file ? <LeaveGuard /> : null}
      <ChooseFile file={file} onChoose={choose} />
      {file ? (
        <DryRun
          key={file.id}
          text={file.text}
          mapping={mapping}
          onMapping={setMapping}
          isSending={isPending}
          onStart={start}
        />
      ) : null}
      {error === null ? null : (
        <ProblemNotice problem={toProblemInfo(error)}>
          {error instanceof CallError && (error.status === 0 || error.status >= 500) ? (
            <p className="text-ink-soft">{m.customerImport_startItAgainTheSame()}</p>
          ) : null}
        </ProblemNotice>
      )}
      {file ? null : <EarlierImports imports={imports} onOpen={(view) => leave(() => setRunning(view))} />}
    </div>
  )
}
