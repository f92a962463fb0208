'use client'

import type { ReactNode, Ref } from 'react'
import { PageHeader } from '../layout/page-header'
import { UntrustedText } from '../ui/untrusted-text'
import { useFoldingHead } from './use-folding-head'

type TableFrameProps = {
  ref: Ref<HTMLDivElement>
  name: string
  /** The name of the saved view that is shown, if any. */
  viewName: string | undefined
  isEmbedded: boolean
  hasPanel: boolean
  /** Whether a row's card on a phone has two lines in place of three. */
  hasShortCards: boolean
  /** Buttons beside the heading. */
  actions: ReactNode
  children: ReactNode
}

/** The frame of a table: a page of its own fills the screen under its h1, an embedded one is as high as its rows. */
export function TableFrame(props: TableFrameProps) {
  const { ref, name, viewName, isEmbedded, hasPanel, hasShortCards, actions, children } = props
  const foldingHead = useFoldingHead()
  const flags = { 'data-panel': hasPanel ? '' : undefined, 'data-short': hasShortCards ? '' : undefined }
  if (!isEmbedded) {
    return (
      <div ref={ref} className="dt-page fill-screen flex min-h-0 flex-col" {...flags} {...foldingHead}>
        <PageHeader title={name} subtitle={viewName && <UntrustedText>{viewName}</UntrustedText>}>
          {actions}
        </PageHeader>
        {children}
      </div>
    )
  }
  return (
    <section ref={ref} aria-label={name} className="dt-embedded flex flex-col border-t border-line" {...flags}>
      <div className="dt-embedded-head">
        <h2 className="text-base font-semibold">{name}</h2>
        <div className="flex flex-wrap items-center gap-2">{actions}</div>
      </div>
      {children}
    </section>
  )
}
