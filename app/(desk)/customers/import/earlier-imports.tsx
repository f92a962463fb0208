'use client'

import { Said } from '@/components/said'
import { Timestamp } from '@/components/timestamp'
import { Button } from '@/components/ui/button'
import { useCount } from '@/components/use-count'
import type { CustomerImportView } from '@/lib/contract/customer-import'
import * as words from '@/lib/words/customer-import'
import { describeImport } from './describe-import'

type EarlierImportsProps = { imports: readonly CustomerImportView[]; onOpen: (view: CustomerImportView) => void }

/** The latest imports of the team; any of them can be looked at, and gone on with. */
export function EarlierImports({ imports, onOpen }: EarlierImportsProps) {
  const formatCount = useCount()
  if (imports.length === 0) return null
  return (
    <section className="grid gap-3">
      <h2 className="text-base font-semibold">{words.earlierImports}</h2>
      <ul className="rounded-lg border border-line bg-surface">
        {imports.map((view) => (
          <li
            key={view.importId}
            className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line px-4 py-2.5 first:border-t-0"
          >
            <span className="min-w-0 flex-1 wrap-anywhere">
              <span className="font-medium">
                <Said>{view.fileName}</Said>
              </span>{' '}
              <span className="text-ink-soft">
                {describeImport(view)}, {formatCount(view.counts.created)} {words.created}{' '}
                <Timestamp value={view.createdAt} />, {view.startedBy}
              </span>
            </span>
            <Button size="small" aria-label={words.openImport(view.fileName)} onClick={() => onOpen(view)}>
              {words.open}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
