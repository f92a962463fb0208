'use client'

import type { ListExportView } from '@/lib/contract/list-export'
import { describeExport } from '@/lib/format/describe-export'
import { formatCount } from '@/lib/format/numbers'
import { formatMoneyLine } from '@/lib/format/money'
import * as words from '@/lib/words/exporting'
import { CopyButton } from '../copy-button'
import { useDeskAddress, useDeskFacts } from '../desk-facts'
import { Button, buttonClasses } from '../ui/button'

type ExportResultProps = {
  view: ListExportView
  onChange: (action: 'stop' | 'resume') => Promise<void>
  onAnother: () => void
}

function Sums({ sums }: Pick<ListExportView, 'sums'>) {
  const { locale } = useDeskFacts()
  if (sums.length === 0) return null
  return (
    <table className="w-full text-left">
      <caption className="mb-1 text-left font-medium">{words.sums}</caption>
      <thead className="text-[0.8125rem] text-ink-soft">
        <tr>
          <th scope="col" className="py-1 font-normal">
            {words.mode}
          </th>
          <th scope="col" className="py-1 text-right font-normal">
            {words.payments}
          </th>
          <th scope="col" className="py-1 text-right font-normal">
            {words.sum}
          </th>
        </tr>
      </thead>
      <tbody>
        {sums.map(({ mode, currency, count, minor }) => (
          <tr key={`${mode} ${currency}`} className="border-t border-line">
            <td className="py-1.5">{mode.charAt(0).toUpperCase() + mode.slice(1)}</td>
            <td className="py-1.5 text-right tabular-nums">{formatCount(count, locale)}</td>
            <td className="py-1.5 text-right tabular-nums">
              {minor === null
                ? words.notEveryAmountCan(currency || words.noCurrency)
                : formatMoneyLine(minor, currency, 'minor', locale)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** An export under way or ended: the stated result, and the files. */
export function ExportResult({ view, onChange, onAnother }: ExportResultProps) {
  const address = useDeskAddress()
  const { locale } = useDeskFacts()
  const { state, sha256, sums, exportId, mayResume } = view
  const files = `/api/desk/exports/${exportId}`
  return (
    <div className="grid gap-5" data-export={state}>
      <output className="block text-base font-semibold">{describeExport(view, locale)}</output>
      {state === 'running' ? (
        <>
          <progress aria-label={words.exportWord} className="h-1.5 w-full" />
          <div>
            <Button onClick={() => void onChange('stop')}>{words.stop}</Button>
          </div>
        </>
      ) : (
        <>
          {state === 'stopped' ? (
            <p className="text-caution">
              {words.fileIsNotTheWhole} {mayResume ? words.itCanGo : null}
              {sha256 === null ? words.thereIsNoFileBefore : null}
            </p>
          ) : null}
          <div className="flex flex-wrap gap-2">
            {sha256 === null ? null : (
              <>
                <a
                  href={address(`${files}/file`)}
                  download
                  referrerPolicy="same-origin"
                  className={buttonClasses('primary')}
                >
                  {words.downloadCsv}
                </a>
                <a
                  href={address(`${files}/statement`)}
                  download
                  referrerPolicy="same-origin"
                  className={buttonClasses()}
                >
                  {words.downloadStatement}
                </a>
              </>
            )}
            {mayResume ? <Button onClick={() => void onChange('resume')}>{words.resume}</Button> : null}
            <Button tone="quiet" onClick={onAnother}>
              {words.newExport}
            </Button>
          </div>
          <Sums sums={sums} />
          {sha256 ? (
            <div>
              <p className="font-medium">{words.shaOfTheFile}</p>
              <p className="flex items-center gap-1">
                <code className="min-w-0 text-xs wrap-anywhere">{sha256}</code>
                <CopyButton value={sha256} name="SHA-256" />
              </p>
            </div>
          ) : null}
        </>
      )}
    </div>
  )
}
