import type { ReactNode } from 'react'

/** The head of a page: its one h1, what it is about, and what can be done here. A name of 10,000 letters is cut: its record shows it whole. */
export function PageHeader({ title, about, children }: { title: ReactNode; about?: ReactNode; children?: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 pt-4 pb-3 md:px-8 md:pt-7 md:pb-4">
      <div className="min-w-0">
        <h1 className="line-clamp-4 text-xl font-semibold tracking-tight wrap-anywhere md:text-2xl">{title}</h1>
        {about ? <p className="mt-0.5 line-clamp-4 text-ink-soft">{about}</p> : null}
      </div>
      {children ? <div className="flex flex-wrap items-center gap-2">{children}</div> : null}
    </div>
  )
}
