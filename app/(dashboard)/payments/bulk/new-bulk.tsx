'use client'

import { useId, useMemo, useState } from 'react'
import { flushSync } from 'react-dom'
import { ProblemNotice } from '@/components/feedback/problem-notice'
import { LeaveGuard, waitForRemoval } from '@/components/forms/leave-guard'
import { Button } from '@/components/ui/button'
import { describeField, Field } from '@/components/ui/field'
import { Textarea, TextFileInput } from '@/components/ui/input'
import { useFormatCount, type FormatCount } from '@/components/layout/app-config'
import { useBeginBulk } from '@/components/payments/use-begin-bulk'
import { toProblemInfo } from '@/components/feedback/problem-display'
import { MAX_BULK_PAYMENTS, MAX_REASON_LENGTH } from '@/lib/api-contract/limits'
import { decodeSpreadsheet, isWorkbook } from '@/lib/domain/csv'
import { parseReferences, type ReadList, type ReadRow } from '@/lib/domain/cancellations/payment-references'
import { escapeInvisible, truncate } from '@/lib/domain/text/visible-text'
import { joinList } from '@/lib/language/join-list'
import { isLost } from '@/lib/client/api-client'
import * as m from '@/lib/messages/m'

/** Bytes. More than the longest list with reasons; a page that shows much more text freezes. */
const longestFile = 6_000_000

/** Characters of an id, handle or reference. */
const longestName = 500

/** Characters of a cell, or of several, in a message. */
const longestQuote = 80

const quote = (text: string) => truncate(escapeInvisible(text), longestQuote)

function explainRow({ line, given, reason, otherId, flaw }: ReadRow): string | null {
  if (given.length > longestName) return m.bulkCancellation_idIsTooLong({ line, limit: longestName })
  if (flaw === 'no-id') return m.bulkCancellation_lineHasNoId({ line })
  if (otherId !== null) return m.bulkCancellation_mayBeAnotherId({ line, other: quote(otherId) })
  if (flaw === 'more-cells') return m.bulkCancellation_lineHasMoreCells({ line })
  return (reason?.length ?? 0) > MAX_REASON_LENGTH
    ? m.bulkCancellation_reasonIsTooLong({ line, limit: MAX_REASON_LENGTH })
    : null
}

/** Why a list is rejected; null if it is valid. */
function explainList({ rows, isUnclear }: ReadList, formatCount: FormatCount): string | null {
  if (isUnclear) return m.bulkCancellation_nameTheIdColumn()
  if (rows.length === 0) return m.bulkCancellation_holdsNoIdOrHandle()
  if (rows.length > MAX_BULK_PAYMENTS)
    return m.bulkCancellation_listHasAtMostLines({ bulkLimit: formatCount(MAX_BULK_PAYMENTS) })
  return rows.map(explainRow).find((flaw) => flaw !== null) ?? null
}

/** What of the list is not used; null where all of it is. */
function explainRest({ rows, unusedColumns, unpaidLines }: ReadList): string | null {
  const [first, ...others] = rows.filter(({ leftOut }) => leftOut.length > 0)
  const said = [
    unusedColumns.length === 0 ? null : m.bulkCancellation_columnsNotUsed({ columns: quote(joinList(unusedColumns)) }),
    first &&
      m.bulkCancellation_leftOut({ line: first.line, cells: quote(joinList(first.leftOut)), more: others.length }),
    unpaidLines.length === 0
      ? null
      : m.bulkCancellation_linesHadNoPayment({
          lines: quote(joinList(unpaidLines.map(String))),
          count: unpaidLines.length,
        }),
  ]
  return said.filter(Boolean).join(' ') || null
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
  const [fileFlaw, setFileFlaw] = useState<string | null>(null)
  const list = useMemo(() => parseReferences(text), [text])
  const { rows } = list
  const rest = explainRest(list)
  const flaw = text === '' ? null : explainList(list, formatCount)
  const reason = isSending
    ? m.bulkCancellation_listIsOnItsWay()
    : text === ''
      ? m.bulkCancellation_chooseAFileOrPaste()
      : flaw

  /** The rows of a file that was chosen before are not those of this one. */
  function refuse(refused: string): void {
    setFileFlaw(refused)
    if (name === null) return
    setText('')
    setName(null)
  }

  async function read(file: File): Promise<void> {
    if (file.size > longestFile) return refuse(m.bulkCancellation_fileIsTooLarge())
    setFileFlaw(null)
    try {
      const bytes = await file.arrayBuffer()
      if (isWorkbook(bytes)) return refuse(m.forms_fileIsAWorkbook())
      setText(decodeSpreadsheet(bytes))
      setName(file.name.slice(0, 200))
      setError(null)
    } catch (thrown) {
      setError(thrown)
    }
  }

  async function check(): Promise<void> {
    if (reason) return
    await begin({ kind: 'list', name, rows: rows.map(({ given, reason: own }) => ({ given, reason: own })) })
  }

  return (
    <section
      aria-label={m.bulkCancellation_newList()}
      className="grid gap-4 rounded-lg border border-line bg-surface p-5"
    >
      {text === '' || isDone ? null : <LeaveGuard />}
      <h2 className="text-base font-semibold">{m.bulkCancellation_newList()}</h2>
      <Field id={`${id}-file`} label={m.bulkCancellation_file()} hint={m.bulkCancellation_oneIdOrHandle()}>
        <TextFileInput
          id={`${id}-file`}
          aria-invalid={fileFlaw !== null || undefined}
          aria-describedby={describeField(`${id}-file`, { hint: true, error: fileFlaw })}
          onChoose={(file) => void read(file)}
        />
      </Field>
      <Field id={`${id}-text`} label={m.bulkCancellation_idsOrHandles()}>
        <Textarea
          id={`${id}-text`}
          rows={5}
          value={text}
          spellCheck={false}
          aria-invalid={flaw !== null || undefined}
          aria-describedby={describeField(`${id}-text`, { error: flaw })}
          onSend={() => void check()}
          onChange={(event) => {
            setText(event.target.value)
            setName(null)
          }}
        />
      </Field>
      <div className="flex flex-wrap items-center gap-4">
        <Button aria-busy={isSending || undefined} tone="primary" reason={reason} onClick={() => void check()}>
          {m.bulkCancellation_checkTheList()}
        </Button>
        <output className="text-ink-soft">
          {rows.length === 0 ? '' : m.bulkCancellation_lineCount({ count: rows.length })}{' '}
          {flaw ? (
            <span id={`${id}-text-error`} className="font-medium wrap-anywhere text-negative">
              {flaw}
            </span>
          ) : (
            m.bulkCancellation_nothingIsSentYet()
          )}
          {rest === null ? null : <span className="block wrap-anywhere text-caution">{rest}</span>}
        </output>
      </div>
      {fileFlaw === null ? null : (
        <p id={`${id}-file-error`} role="alert" className="text-negative">
          {fileFlaw}
        </p>
      )}
      {error === null ? null : (
        <ProblemNotice
          problem={toProblemInfo(error)}
          doubt={isLost(error) ? m.bulkCancellation_listMayHaveBeenMade() : null}
        />
      )}
    </section>
  )
}
