'use client'

import { useQuery } from '@tanstack/react-query'
import { Download, Eraser } from 'lucide-react'
import { useState } from 'react'
import { toProblemInfo } from '@/components/feedback/problem-display'
import { ProblemNotice } from '@/components/feedback/problem-notice'
import { showToast } from '@/components/feedback/toast-store'
import { useFormatCount } from '@/components/layout/app-config'
import { Link } from '@/components/layout/link'
import { Button } from '@/components/ui/button'
import { UntrustedText } from '@/components/ui/untrusted-text'
import { callDesk, retryAfterStepUp } from '@/lib/client/api-client'
import { saveFile } from '@/lib/client/save-file'
import { buildPagePath } from '@/lib/domain/page-address'
import { keptKindNames, keptKinds } from '@/lib/domain/kept-kinds'
import type { KeptAbout, OpenWork, PersonRequest } from '@/lib/domain/people'
import { joinList } from '@/lib/language/join-list'
import type { Message } from '@/lib/language/runtime'
import * as m from '@/lib/messages/m'
import { EraseDialog } from './erase-dialog'

const outcomes: Record<(typeof keptKinds)[number], Message> = {
  note: m.people_becomesNote,
  cancellation: m.people_becomesCancellation,
  bulk: m.people_becomesBulk,
  import: m.people_becomesImport,
  delivery: m.people_becomesDelivery,
  view: m.people_becomesView,
  export: m.people_becomesExport,
  schedule: m.people_becomesSchedule,
  activity: m.people_becomesActivity,
}

function OpenWorkItem({ work: { kind, id } }: { work: OpenWork }) {
  const [text, page] = {
    cancellation: [m.people_openCancellation({ id }), buildPagePath('/payments', id)],
    bulk: [m.people_openBulk(), buildPagePath('/payments/bulk', id)],
    import: [m.people_openImport(), '/customers/import'],
    export: [m.people_openExport(), null],
  }[kind]
  if (!page) return <li>{text}</li>
  return (
    <li>
      <Link href={page} className="text-accent-ink underline underline-offset-2">
        <UntrustedText>{text ?? ''}</UntrustedText>
      </Link>
    </li>
  )
}

function OpenWorkNotice({ open }: { open: readonly OpenWork[] }) {
  return (
    <section aria-labelledby="kept-open" className="rounded-lg border border-line bg-caution-soft p-4">
      <h3 id="kept-open" className="font-semibold">
        {m.people_openTitle()}
      </h3>
      <p className="mt-1">{m.people_openAbout()}</p>
      <ul className="mt-2 grid list-disc gap-1 pl-5">
        {open.map((work) => (
          <OpenWorkItem key={`${work.kind} ${work.id}`} work={work} />
        ))}
      </ul>
    </section>
  )
}

/** How the person was recognised, and what can't be found. */
function SearchedFor({ kept, named }: { kept: KeptAbout; named: boolean }) {
  const { customer, payments, searched, tooShort } = kept
  const lines = [
    named && customer === null ? m.people_unknownCustomer() : null,
    customer && payments === null ? m.people_paymentsUnknown() : null,
    payments &&
      (payments.isComplete
        ? m.people_payments({ count: payments.count })
        : m.people_paymentsIncomplete({ count: payments.count })),
  ].filter((line) => line !== null)
  return (
    <div className="grid gap-1 text-ink-soft">
      {searched.length > 0 ? (
        <p>
          {m.people_searchedFor()}: <UntrustedText>{joinList(searched)}</UntrustedText>
        </p>
      ) : null}
      {lines.map((line) => (
        <p key={line}>
          <UntrustedText>{line}</UntrustedText>
        </p>
      ))}
      {tooShort.length > 0 ? (
        <p className="mt-1 rounded-lg border border-caution/25 bg-caution-soft/60 p-4 text-ink">
          <UntrustedText>{m.people_tooShort({ values: joinList(tooShort), count: tooShort.length })}</UntrustedText>
        </p>
      ) : null}
    </div>
  )
}

function CountTable({ kept }: { kept: KeptAbout }) {
  const formatCount = useFormatCount()
  const kinds = keptKinds.filter((kind) => kept.counts[kind] > 0)
  return (
    <table className="w-full border-collapse text-left">
      <thead>
        <tr className="text-[0.8125rem] text-ink-soft max-md:sr-only">
          <th scope="col" className="py-2 pr-4 font-medium">
            {m.people_kind()}
          </th>
          <th scope="col" className="py-2 pr-6 text-right font-medium">
            {m.people_places()}
          </th>
          <th scope="col" className="py-2 font-medium">
            {m.people_becomes()}
          </th>
        </tr>
      </thead>
      <tbody>
        {kinds.map((kind) => (
          <tr
            key={kind}
            className="border-t border-line align-top max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto] max-md:py-2"
          >
            <th scope="row" className="py-2.5 pr-4 font-medium max-md:py-0">
              {keptKindNames[kind]()}
            </th>
            <td className="py-2.5 pr-6 text-right tabular-nums max-md:p-0">{formatCount(kept.counts[kind])}</td>
            <td className="py-2.5 text-ink-soft max-md:col-span-2 max-md:pt-0.5 max-md:pb-0">{outcomes[kind]()}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type KeptSectionProps = { person: PersonRequest; kept: KeptAbout; summary: string; reload: () => void }

/** The counts, and what an admin can do about them. */
function KeptSection({ person, kept, summary, reload }: KeptSectionProps) {
  const [isErasing, setErasing] = useState(false)
  const [isDownloading, setDownloading] = useState(false)
  const [problem, setProblem] = useState<unknown>(null)

  async function download(): Promise<void> {
    setDownloading(true)
    setProblem(null)
    try {
      const content = await retryAfterStepUp(() =>
        callDesk<unknown>('/people/export', { method: 'POST', body: person }),
      )
      // Its name has nothing of the person.
      const fileName = `kept-data-${new Date().toISOString().slice(0, 10)}.json`
      saveFile(fileName, JSON.stringify(content, null, 2), 'application/json')
    } catch (thrown) {
      setProblem(thrown)
    }
    setDownloading(false)
  }

  const { customer, total, open } = kept
  const name = customer?.name || person.name || customer?.number || person.number || person.customer
  const typed = [customer?.name || person.name, customer?.number || person.number, customer?.id || person.customer]
  return (
    <section aria-labelledby="kept" className="grid gap-4 rounded-lg border border-line bg-surface p-5 max-md:px-4">
      <h2 id="kept" className="font-semibold">
        {summary}
      </h2>
      <SearchedFor kept={kept} named={person.customer !== ''} />
      {total > 0 ? <CountTable kept={kept} /> : null}
      {open.length > 0 ? <OpenWorkNotice open={open} /> : null}
      <p className="text-ink-soft">{m.people_atTheProvider()}</p>
      {problem === null ? null : <ProblemNotice problem={toProblemInfo(problem)} />}
      <div className="flex flex-wrap gap-2">
        <Button reason={isDownloading ? m.forms_requestIsOnItsWay() : null} onClick={() => void download()}>
          <Download className="size-4" />
          {m.people_download()}
        </Button>
        <Button
          tone="quiet-danger"
          aria-haspopup="dialog"
          reason={open.length > 0 ? m.people_openTitle() : total === 0 ? summary : null}
          onClick={() => setErasing(true)}
        >
          <Eraser className="size-4" />
          {m.people_erase()}
        </Button>
      </div>
      {isErasing ? (
        <EraseDialog
          person={person}
          name={name}
          anyOf={typed.filter((word) => word.trim() !== '')}
          total={total}
          onErased={({ total: erased, left }) => {
            setErasing(false)
            showToast(m.people_erased({ count: erased }), left > 0 ? m.people_left({ count: left }) : undefined)
            reload()
          }}
          onClose={() => {
            setErasing(false)
            reload()
          }}
        />
      ) : null}
    </section>
  )
}

/** In a sentence what was found, and if nothing, whether texts were searched for more than ids. */
function summarize({ customer, ids }: PersonRequest, { total, searched }: KeptAbout): string {
  if (total > 0) return m.people_total({ count: total })
  if (searched.length > 0) return m.people_nothing()
  return customer !== '' || ids.length > 0 ? m.people_nothingById() : m.people_nothingSearched()
}

/** What the desk keeps about a person. */
export function KeptData({ person }: { person: PersonRequest }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['kept', JSON.stringify(person)],
    queryFn: ({ signal }) => callDesk<KeptAbout>('/people', { method: 'POST', body: person, signal }),
    staleTime: 'static',
    gcTime: 1_000,
    retry: false,
  })
  if (error && !data) return <ProblemNotice problem={toProblemInfo(error)} onRetry={() => void refetch()} />
  const summary = data && summarize(person, data)
  return (
    <>
      <output className={data ? 'sr-only' : 'block min-h-9 text-ink-soft'}>{summary ?? m.people_looking()}</output>
      {data ? <KeptSection person={person} kept={data} summary={summary ?? ''} reload={() => void refetch()} /> : null}
    </>
  )
}
