'use client'

import { LoaderCircle } from 'lucide-react'
import { useId, useMemo, useState } from 'react'
import { flushSync } from 'react-dom'
import { ProblemNotice } from '@/components/feedback/problem-notice'
import { LeaveGuard, waitForRemoval } from '@/components/forms/leave-guard'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Textarea, TextFileInput } from '@/components/ui/input'
import { useFormatCount, type FormatCount } from '@/components/layout/app-config'
import { useBeginBulk } from '@/components/payments/use-begin-bulk'
import { toProblemInfo } from '@/components/feedback/problem-display'
import { MAX_BULK_PAYMENTS, MAX_REASON_LENGTH } from '@/lib/api-contract/limits'
import { decodeSpreadsheet } from '@/lib/domain/csv'
import { type GivenRow, parseReferences } from '@/lib/domain/cancellations/payment-references'
import { isLost } from '@/lib/client/api-client'
import * as m from '@/lib/messages/m'

/** Bytes. More than the longest list with reasons; a page that shows much more text freezes. */
const longestFile = 6_000_000

/** Why these rows are rejected; null if they are valid. */
function explainRows(rows: readonly GivenRow[], formatCount: FormatCount): string | null {
  if (rows.length > MAX_BULK_PAYMENTS)
    return m.bulkCancellation_listHasAtMostLines({ bulkLimit: formatCount(MAX_BULK_PAYMENTS) })
  const long = rows.findIndex(({ given, reason }) => given.length > 500 || (reason?.length ?? 0) > MAX_REASON_LENGTH)
  return long < 0 ? null : m.bulkCancellation_lineIsTooLong({ long: long + 1, reasonLimit: MAX_REASON_LENGTH })
}

/** Creates a list from pasted or uploaded ids or handles. Nothing is sent before it is confirmed. */
export function NewBulk() {
  const id = useId()
  const formatCount = useFormatCount()
  const [text, setText] = useState('')
  const [name, setName] = useState<string | null>(null)
  const [isDone, setDone] = useState(false)
  const { begin, isSending, error, setError } = useBeginBulk(async () => {
    flushSync(() => setDone(true))
    await waitForRemoval()
  })
  const [isTooLarge, setTooLarge] = useState(false)
  const rows = useMemo(() => parseReferences(text), [text])
  const flaw =
    text === '' ? null : rows.length === 0 ? m.bulkCancellation_holdsNoIdOrHandle() : explainRows(rows, formatCount)
  const reason = isSending
    ? m.bulkCancellation_listIsOnItsWay()
    : text === ''
      ? m.bulkCancellation_chooseAFileOrPaste()
      : flaw

  async function read(file: File): Promise<void> {
    setTooLarge(file.size > longestFile)
    if (file.size > longestFile) return
    try {
      setText(decodeSpreadsheet(await file.arrayBuffer()))
      setName(file.name.slice(0, 200))
      setError(null)
    } catch (thrown) {
      setError(thrown)
    }
  }

  async function check(): Promise<void> {
    if (reason) return
    await begin({ kind: 'list', name, rows })
  }

  return (
    <section
      aria-label={m.bulkCancellation_newList()}
      className="grid gap-4 rounded-lg border border-line bg-surface p-5"
    >
      {text === '' || isDone ? null : <LeaveGuard />}
      <h2 className="text-base font-semibold">{m.bulkCancellation_newList()}</h2>
      <Field id={`${id}-file`} label={m.bulkCancellation_file()} hint={m.bulkCancellation_oneIdOrHandle()}>
        <TextFileInput id={`${id}-file`} aria-describedby={`${id}-file-hint`} onChoose={(file) => void read(file)} />
      </Field>
      <Field id={`${id}-text`} label={m.bulkCancellation_idsOrHandles()}>
        <Textarea
          id={`${id}-text`}
          rows={5}
          value={text}
          spellCheck={false}
          onSend={() => void check()}
          onChange={(event) => {
            setText(event.target.value)
            setName(null)
          }}
        />
      </Field>
      <div className="flex flex-wrap items-center gap-4">
        <Button tone="primary" reason={reason} onClick={() => void check()}>
          {isSending ? <LoaderCircle className="size-4 animate-spin" /> : null}
          {m.bulkCancellation_checkTheList()}
        </Button>
        <output className="text-ink-soft">
          {rows.length === 0 ? '' : m.bulkCancellation_lineCount({ count: rows.length })}{' '}
          {flaw ? <span className="font-medium text-negative">{flaw}</span> : m.bulkCancellation_nothingIsSentYet()}
        </output>
      </div>
      {isTooLarge ? (
        <p role="alert" className="text-negative">
          {m.bulkCancellation_fileIsTooLarge()}
        </p>
      ) : null}
      {error === null ? null : (
        <ProblemNotice
          problem={toProblemInfo(error)}
          doubt={isLost(error) ? m.bulkCancellation_listMayHaveBeenMade() : null}
        />
      )}
    </section>
  )
}
