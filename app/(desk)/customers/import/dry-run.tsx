'use client'

import { LoaderCircle } from 'lucide-react'
import { useId, useMemo } from 'react'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import { useCount } from '@/components/use-count'
import { customerFields } from '@/lib/contract/customer-fields'
import type { CustomerMapping } from '@/lib/format/customer-csv'
import * as words from '@/lib/words/customer-import'
import { checkLines } from './check-lines'

type DryRunProps = {
  text: string
  mapping: CustomerMapping
  onMapping: (mapping: CustomerMapping) => void
  isSending: boolean
  onStart: () => void
}

/** So many flawed lines are listed; the others are counted. */
const most = 50

/** Which column is which field, and what each line would come to. Nothing is sent yet. */
export function DryRun({ text, mapping, onMapping, isSending, onStart }: DryRunProps) {
  const id = useId()
  const formatCount = useCount()
  const { header, good, flawed, reason } = useMemo(
    () => checkLines(text, mapping, formatCount),
    [text, mapping, formatCount],
  )
  const held = isSending ? words.fileIsOnItsWay : (reason ?? (good === 0 ? words.noLineCanBeCreated : null))
  const customers = `${formatCount(good)} ${good === 1 ? 'customer' : 'customers'}`
  return (
    <>
      <section className="grid grid-cols-1 gap-4">
        <h2 className="text-base font-semibold">{words.columns}</h2>
        <div className="grid gap-4 sm:grid-cols-2">
          {customerFields.map(({ name, label }) => (
            <Field key={name} id={`${id}-${name}`} label={label} required={name === 'name'}>
              <Select
                id={`${id}-${name}`}
                value={mapping[name] ?? ''}
                onChange={({ target }) =>
                  onMapping({ ...mapping, [name]: target.value === '' ? undefined : Number(target.value) })
                }
              >
                <option value="">{words.notInTheFile}</option>
                {header.map((column, index) => (
                  // Columns may share a name.
                  <option key={`${index} ${column}`} value={index}>
                    {column.trim() || words.column(index + 1)}
                  </option>
                ))}
              </Select>
            </Field>
          ))}
        </div>
      </section>
      <section className="grid grid-cols-1 gap-4">
        <h2 className="text-base font-semibold">{words.dryRun}</h2>
        <output className="block">
          {reason ??
            words.canBeCreated(
              customers,
              flawed.length === 0
                ? words.noLineHasAnError
                : words.leftOut(
                    formatCount(flawed.length),
                    flawed.length === 1 ? words.lineHasAnError : words.linesHaveErrorsAndAre,
                  ),
            )}
        </output>
        {flawed.length > 0 && !reason ? (
          <ul className="grid max-h-80 gap-1 overflow-y-auto rounded-lg border border-line bg-surface px-4 py-3">
            {flawed.slice(0, most).map(({ line, message }) => (
              <li key={line} className="wrap-anywhere">
                <span className="font-medium">{words.line(line)}</span> {message}
              </li>
            ))}
            {flawed.length > most ? (
              <li className="text-ink-soft">{words.andMore(formatCount(flawed.length - most))}</li>
            ) : null}
          </ul>
        ) : null}
        <Button tone="primary" className="justify-self-start" reason={held} onClick={onStart}>
          {isSending ? <LoaderCircle className="size-4 animate-spin" /> : null}
          {words.create} {customers}
        </Button>
      </section>
    </>
  )
}
