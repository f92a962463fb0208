'use client'

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { CallError } from '@/lib/browser/call-error'
import { callDesk } from '@/lib/browser/call'
import { readProblemFacts } from '@/lib/browser/problem-facts'
import { LeaveGuard } from '@/components/form/leave-guard'
import { ProblemNotice } from '@/components/problem-notice'
import type { CustomerImportRequest, CustomerImportView } from '@/lib/contract/customer-import'
import { type CustomerMapping, guessMapping } from '@/lib/format/customer-csv'
import { parseCsv } from '@/lib/format/parse-csv'
import * as words from '@/lib/words/customer-import'
import { ChooseFile, type ChosenFile } from './choose-file'
import { DryRun } from './dry-run'
import { EarlierImports } from './earlier-imports'
import { ImportProgress } from './import-progress'

/** The import of customers, step by step: a file, its columns, a dry run, then the creation on the server. */
export function ImportCustomers({ imports }: { imports: readonly CustomerImportView[] }) {
  const [file, setFile] = useState<ChosenFile | null>(null)
  const [mapping, setMapping] = useState<CustomerMapping>({})
  const [running, setRunning] = useState<CustomerImportView | null>(null)
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (body: CustomerImportRequest) => callDesk<CustomerImportView>('/imports', { method: 'POST', body }),
    onSuccess: setRunning,
  })

  function choose(chosen: ChosenFile): void {
    setFile(chosen)
    setMapping(guessMapping(parseCsv(chosen.text).rows[0]?.cells ?? []))
    reset()
  }

  function start(): void {
    if (file && !isPending) mutate({ fileName: file.fileName, text: file.text, mapping })
  }

  function leave(): void {
    setRunning(null)
    setFile(null)
  }

  if (running) return <ImportProgress first={running} onLeave={leave} />
  return (
    <div className="grid max-w-4xl grid-cols-1 gap-8 px-4 pb-12 md:px-8">
      {file ? <LeaveGuard /> : null}
      <ChooseFile file={file} onChoose={choose} />
      {file ? (
        <DryRun text={file.text} mapping={mapping} onMapping={setMapping} isSending={isPending} onStart={start} />
      ) : null}
      {error === null ? null : (
        <ProblemNotice facts={readProblemFacts(error)}>
          {error instanceof CallError && (error.status === 0 || error.status >= 500) ? (
            <p className="text-ink-soft">{words.startItAgainTheSame}</p>
          ) : null}
        </ProblemNotice>
      )}
      {file ? null : <EarlierImports imports={imports} onOpen={setRunning} />}
    </div>
  )
}
