'use client'

import { useId, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Textarea } from '@/components/ui/textarea'
import * as words from '@/lib/words/customer-import'

export type ChosenFile = { fileName: string; text: string }

type ChooseFileProps = { file: ChosenFile | null; onChoose: (file: ChosenFile) => void }

/** UTF-16 where a mark says so ("Unicode text" of Excel), else UTF-8, else what spreadsheets of the west write. */
function decode(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength))
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** A file from this computer, or text pasted. */
export function ChooseFile({ file, onChoose }: ChooseFileProps) {
  const id = useId()
  const [pasted, setPasted] = useState('')
  const [error, setError] = useState<string | null>(null)

  async function read(chosen: File | undefined): Promise<void> {
    if (!chosen) return
    try {
      setError(null)
      onChoose({ fileName: chosen.name.slice(0, 200) || 'file.csv', text: decode(await chosen.arrayBuffer()) })
    } catch {
      setError(words.fileCouldNotBeRead)
    }
  }

  return (
    <section className="grid grid-cols-1 gap-4">
      <h2 className="text-base font-semibold">{words.file}</h2>
      <Field id={`${id}-file`} label={words.csvFile} error={error} hint={words.separatedByCommasSemicolons}>
        <input
          id={`${id}-file`}
          type="file"
          accept=".csv,.txt,.tsv,text/csv,text/plain"
          aria-describedby={`${id}-file-hint`}
          className="file:mr-3 file:h-9 file:cursor-pointer file:rounded-md file:border file:border-edge/60 file:bg-surface file:px-3.5 file:font-medium file:text-ink max-md:file:h-11"
          onChange={(event) => void read(event.target.files?.[0])}
        />
      </Field>
      <Field id={`${id}-text`} label={words.orPasteTheLines}>
        <Textarea
          id={`${id}-text`}
          rows={4}
          value={pasted}
          spellCheck={false}
          placeholder={words.nameNumberCityAnnSmith}
          onChange={(event) => setPasted(event.target.value)}
        />
      </Field>
      <Button
        className="justify-self-start"
        reason={pasted.trim() === '' ? words.pasteLinesFirst : null}
        onClick={() => onChoose({ fileName: words.pastedLines, text: pasted })}
      >
        {words.takeTheseLines}
      </Button>
      {file ? (
        <output className="block">
          {words.chosen} <span className="font-medium wrap-anywhere">{file.fileName}</span>
        </output>
      ) : null}
    </section>
  )
}
