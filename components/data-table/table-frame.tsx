'use client'

import type { ReactNode } from 'react'
import { PageHeader } from '../page-header'
import { Said } from '../said'

type TableFrameProps = {
  name: string
  /** The name of the saved view that it shows, if it is one. */
  viewName: string | undefined
  /** Whether it stands on the page of something else. */
  isPart: boolean
  /** How many rows there are to show. */
  size: number
  actions: ReactNode
  refresh: ReactNode
  children: ReactNode
}

/** Rows that a part of a page shows at once, at least and at most; more are scrolled to. */
const fewest = 4
const most = 10

/** What is around a table: as a page it fills the screen under its h1, as a part it is as high as its rows. */
export function TableFrame({ name, viewName, isPart, size, actions, refresh, children }: TableFrameProps) {
  if (!isPart) {
    return (
      <div className="dt-page fill-screen flex min-h-0 flex-col">
        <PageHeader title={name} beside={viewName && <Said>{viewName}</Said>}>
          {refresh}
          {actions}
        </PageHeader>
        {children}
      </div>
    )
  }
  return (
    <section
      aria-label={name}
      className="dt-part flex flex-col border-t border-line"
      style={{ ['--dt-count' as string]: Math.min(most, Math.max(fewest, size)) }}
    >
      <div className="dt-part-head">
        <h2 className="text-base font-semibold">{name}</h2>
        <div className="flex flex-wrap items-center gap-2">
          {refresh}
          {actions}
        </div>
      </div>
      {children}
    </section>
  )
}
