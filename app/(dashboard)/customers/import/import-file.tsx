'use client'

import { useQuery } from '@tanstack/react-query'
import { useId, useMemo, useState } from 'react'
import { toProblemInfo } from '@/components/feedback/problem-display'
import { ProblemNotice } from '@/components/feedback/problem-notice'
import { LeaveGuard } from '@/components/forms/leave-guard'
import { useFormatCount, type FormatCount } from '@/components/layout/app-config'
import { Button } from '@/components/ui/button'
import { describeField, Field } from '@/components/ui/field'
import { Checkbox, Select, Textarea, TextFileInput } from '@/components/ui/input'
import { callDesk } from '@/lib/client/api-client'
import { customerFields } from '@/lib/api-contract/customer-fields'
import { decodeSpreadsheet, isWorkbook, parseCsv } from '@/lib/domain/csv'
import {
  checkCustomerLine,
  type CustomerLine,
  type CustomerMapping,
  explainRepeat,
  parseCustomerLines,
} from '@/lib/domain/customers/customer-csv'
import {
  type CustomerImportRequest,
  type ExistingNumbers,
  importLimits,
  measureImport,
} from '@/lib/domain/customers/customer-import'
import { ImportPreview } from './import-preview'
import * as m from '@/lib/messages/m'

export type CheckedFile = {
  /** Column names from the first line. */
  header: string[]
  validCount: number
  /** Lines that repeat a customer number of an earlier one. */
  repeatCount: number
  /** Lines with the number of an existing customer. */
  existingLines: number[]
  /** The first lines as they are read. */
  preview: CustomerLine[]
  /** Lines that would be skipped, and why. */
  invalid: { line: number; message: string }[]
  /** Why the whole file is rejected. */
  reason: string | null
}

const MAX_PREVIEW_LINES = 10

type CheckOptions = {
  takesRepeats?: boolean
  /** Numbers that customers have. */
  existing?: ReadonlySet<string>
  takesExisting?: boolean
}

/** Checks a file without sending anything. */
export function checkLines(
  text: string,
  mapping: CustomerMapping,
  formatCount: FormatCount,
  { takesRepeats, existing, takesExisting }: CheckOptions = {},
): CheckedFile {
  const { rows } = parseCsv(text)
  const lines = parseCustomerLines(text, mapping)
  const isExisting = ({ body }: CustomerLine) => body.number !== undefined && (existing?.has(body.number) ?? false)
  const size = measureImport(text)
  const invalid = lines.flatMap((line) => {
    const repeat = takesRepeats ? null : explainRepeat(line)
    const exists = isExisting(line) && !takesExisting ? m.customerLines_numberExists() : null
    const message = checkCustomerLine(line) ?? repeat ?? exists
    return message === null ? [] : [{ line: line.line, message }]
  })
  const reasons = [
    size > importLimits.bytes
      ? m.customerImport_fileIsTooLarge({
          takes: formatCount(Math.ceil(size / 1_000)),
          most: formatCount(importLimits.bytes / 1_000),
          files: Math.ceil(size / importLimits.bytes),
        })
      : null,
    lines.length === 0 ? m.customerImport_thereIsNoLineBelow() : null,
    lines.length > importLimits.lines
      ? m.customerImport_importTakesAtMostLines({
          most: formatCount(importLimits.lines),
          lines: formatCount(lines.length),
        })
      : null,
    mapping.name === undefined ? m.customerImport_sayWhichColumnHolds() : null,
  ]
  return {
    header: rows[0]?.cells ?? [],
    validCount: lines.length - invalid.length,
    repeatCount: lines.filter(({ repeats }) => repeats !== null).length,
    existingLines: lines.filter(isExisting).map(({ line }) => line),
    preview: lines.slice(0, MAX_PREVIEW_LINES),
    invalid,
    reason: reasons.find((reason) => reason !== null) ?? null,
  }
}

export type ChosenFile = { fileName: string; text: string }

type ChooseFileProps = { file: ChosenFile | null; onChoose: (file: ChosenFile | null) => void }

/** A file or pasted text; null once a file is chosen that can't be taken. */
export function ChooseFile({ file, onChoose }: ChooseFileProps) {
  const id = useId()
  const [pasted, setPasted] = useState('')
  const [error, setError] = useState<string | null>(null)

  function refuse(flaw: string): void {
    setError(flaw)
    onChoose(null)
  }

  async function read(chosen: File): Promise<void> {
    try {
      setError(null)
      const bytes = await chosen.arrayBuffer()
      if (isWorkbook(bytes)) return refuse(m.forms_fileIsAWorkbook())
      onChoose({ fileName: chosen.name.slice(0, 200) || 'file.csv', text: decodeSpreadsheet(bytes) })
    } catch {
      refuse(m.customerImport_fileCouldNotBeRead())
    }
  }

  const isEmpty = pasted.trim() === ''
  const takePasted = () => onChoose({ fileName: m.customerImport_pastedLines(), text: pasted })
  return (
    <section className="grid grid-cols-1 gap-4">
      {isEmpty ? null : <LeaveGuard />}
      <h2 className="text-base font-semibold">{m.customerImport_file()}</h2>
      <Field
        id={`${id}-file`}
        label={m.customerImport_csvFile()}
        error={error}
        hint={m.customerImport_separatedByCommasSemicolons()}
      >
        <TextFileInput
          id={`${id}-file`}
          aria-invalid={error !== null || undefined}
          aria-describedby={describeField(`${id}-file`, { hint: true, error })}
          onChoose={(chosen) => void read(chosen)}
        />
      </Field>
      <Field id={`${id}-text`} label={m.customerImport_orPasteTheLines()}>
        <Textarea
          id={`${id}-text`}
          rows={4}
          value={pasted}
          spellCheck={false}
          placeholder={m.customerImport_nameNumberCityAnnSmith()}
          onChange={(event) => setPasted(event.target.value)}
          onSend={() => (isEmpty ? undefined : takePasted())}
        />
      </Field>
      <Button
        className="justify-self-start"
        reason={isEmpty ? m.customerImport_pasteLinesFirst() : null}
        onClick={takePasted}
      >
        {m.customerImport_takeTheseLines()}
      </Button>
      {file ? (
        <output className="block">
          {m.customerImport_chosen()} <span className="font-medium wrap-anywhere">{file.fileName}</span>
        </output>
      ) : null}
    </section>
  )
}

type DryRunProps = {
  text: string
  mapping: CustomerMapping
  onMapping: (mapping: CustomerMapping) => void
  isSending: boolean
  onStart: (choices: Pick<CustomerImportRequest, 'takesRepeats' | 'existingLines'>) => void
}

/** Which of the file's numbers customers have. */
function useExistingNumbers(text: string, mapping: CustomerMapping) {
  const numbers = useMemo(() => {
    const lines = mapping.number === undefined ? [] : parseCustomerLines(text, mapping)
    // What creates no customer needs no comparison, and one number that is not valid would fail it for all.
    const valid = lines.filter((line) => checkCustomerLine(line) === null)
    return [...new Set(valid.flatMap(({ body }) => body.number ?? []))].slice(0, importLimits.lines)
  }, [text, mapping])
  const query = useQuery({
    queryKey: ['existing-numbers', numbers],
    queryFn: ({ signal }) =>
      callDesk<ExistingNumbers>('/imports/existing', { method: 'POST', body: { numbers }, signal, quiet: true }),
    enabled: numbers.length > 0,
    // Asked again for the next file: an import may have created them meanwhile.
    staleTime: 'static',
    gcTime: 0,
    retry: false,
  })
  const existing = useMemo(() => new Set(query.data?.numbers), [query.data])
  return { ...query, existing, isLooking: query.isLoading }
}

type Compared = Pick<ReturnType<typeof useExistingNumbers>, 'data' | 'error' | 'isLooking' | 'refetch'>

/** How far the file was compared with the existing customers. */
function ComparisonNote({ data, error, isLooking, refetch }: Compared) {
  const formatCount = useFormatCount()
  if (isLooking) return <output className="block text-ink-soft">{m.customerImport_lookingForExisting()}</output>
  if (error)
    return (
      <ProblemNotice problem={toProblemInfo(error)} onRetry={() => void refetch()}>
        <p>{m.customerImport_existingUnknown()}</p>
      </ProblemNotice>
    )
  if (!data || data.isWhole) return null
  return <p className="text-caution">{m.customerImport_existingPartly({ written: formatCount(data.compared) })}</p>
}

/** Invalid lines shown; the others are counted. */
const MAX_LISTED_LINES = 50

/** Column mapping and dry run. Nothing is sent yet. */
export function DryRun(props: DryRunProps) {
  const { text, mapping, onMapping, isSending, onStart } = props
  const [takesRepeats, setTakesRepeats] = useState(false)
  const [takesExisting, setTakesExisting] = useState(false)
  const id = useId()
  const formatCount = useFormatCount()
  const compared = useExistingNumbers(text, mapping)
  const { existing, isLooking } = compared
  const { header, validCount, repeatCount, existingLines, preview, invalid, reason } = useMemo(
    () => checkLines(text, mapping, formatCount, { takesRepeats, existing, takesExisting }),
    [text, mapping, formatCount, takesRepeats, existing, takesExisting],
  )
  const blockedReason = isSending
    ? m.customerImport_fileIsOnItsWay()
    : isLooking && !reason
      ? m.customerImport_lookingForExisting()
      : (reason ?? (validCount === 0 ? m.customerImport_noLineCanBeCreated() : null))
  const customers = m.customerImport_customerCount({ count: validCount })
  return (
    <>
      <section className="grid grid-cols-1 gap-4">
        <h2 className="text-base font-semibold">{m.customerImport_columns()}</h2>
        <div className="grid gap-4 sm:grid-cols-2">
          {customerFields.map(({ name, label }) => (
            <Field key={name} id={`${id}-${name}`} label={label()} required={name === 'name'}>
              <Select
                id={`${id}-${name}`}
                value={mapping[name] ?? ''}
                onChange={({ target }) =>
                  onMapping({ ...mapping, [name]: target.value === '' ? undefined : Number(target.value) })
                }
              >
                <option value="">{m.customerImport_notInTheFile()}</option>
                {header.map((column, index) => (
                  // Column names may repeat.
                  <option key={`${index} ${column}`} value={index}>
                    {column.trim() || m.customerImport_column({ index: index + 1 })}
                  </option>
                ))}
              </Select>
            </Field>
          ))}
        </div>
      </section>
      <section className="grid grid-cols-1 gap-4">
        <h2 className="text-base font-semibold">{m.customerImport_dryRun()}</h2>
        {preview.length > 0 && !reason ? <ImportPreview lines={preview} mapping={mapping} invalid={invalid} /> : null}
        <output className="block">
          {reason ??
            m.customerImport_canBeCreated({
              customers,
              linesHaveErrorsAndAre:
                invalid.length === 0
                  ? m.customerImport_noLineHasAnError()
                  : m.customerImport_leftOut({
                      flawed: formatCount(invalid.length),
                      linesHaveErrorsAndAre:
                        invalid.length === 1
                          ? m.customerImport_lineHasAnError()
                          : m.customerImport_linesHaveErrorsAndAre(),
                    }),
            })}
        </output>
        {invalid.length > 0 && !reason ? (
          <ul className="grid max-h-80 gap-1 overflow-y-auto rounded-lg border border-line bg-surface px-4 py-3">
            {invalid.slice(0, MAX_LISTED_LINES).map(({ line, message }) => (
              <li key={line} className="wrap-anywhere">
                <span className="font-medium">{m.customerImport_line({ line })}</span> {message}
              </li>
            ))}
            {invalid.length > MAX_LISTED_LINES ? (
              <li className="text-ink-soft">
                {m.customerImport_andMore({ most: formatCount(invalid.length - MAX_LISTED_LINES) })}
              </li>
            ) : null}
          </ul>
        ) : null}
        {repeatCount > 0 ? (
          <label className="flex min-h-9 items-center gap-2.5 max-md:min-h-11">
            <Checkbox checked={takesRepeats} onChange={({ target }) => setTakesRepeats(target.checked)} />
            {m.customerImport_takeRepeats({ count: repeatCount, written: formatCount(repeatCount) })}
          </label>
        ) : null}
        {existingLines.length > 0 ? (
          <label className="flex min-h-9 items-center gap-2.5 max-md:min-h-11">
            <Checkbox checked={takesExisting} onChange={({ target }) => setTakesExisting(target.checked)} />
            {m.customerImport_takeExisting({
              count: existingLines.length,
              written: formatCount(existingLines.length),
            })}
          </label>
        ) : null}
        {reason ? null : <ComparisonNote {...compared} />}
        <Button
          aria-busy={isSending || undefined}
          tone="primary"
          className="justify-self-start"
          reason={blockedReason}
          onClick={() => onStart({ takesRepeats, ...(!takesExisting && { existingLines }) })}
        >
          {m.customerImport_create()} {customers}
        </Button>
      </section>
    </>
  )
}
