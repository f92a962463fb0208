import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { mergeClasses } from '../ui/merge-classes'
import { Link } from './link'

/** The way up, above the head of a page. */
export function BackLink({ href, children }: { href: string; children: string }) {
  return (
    <Link
      href={href}
      className="inline-flex min-h-6 items-center gap-1.5 px-4 pt-4 text-ink-soft hover:text-ink max-md:min-h-11 md:px-8 md:pt-6"
    >
      <ArrowLeft className="size-4" />
      {children}
    </Link>
  )
}

type PageHeaderProps = {
  title: ReactNode
  /** A word beside the title, cut where there is no room, so that what stands beside it stays where it is. */
  beside?: ReactNode
  about?: ReactNode
  children?: ReactNode
}

/** The head of a page: its one h1, what it is about, and what can be done here. A name of 10,000 letters is cut: its record shows it whole. */
export function PageHeader({ title, beside, about, children }: PageHeaderProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 pt-4 pb-3 md:px-8 md:pt-7 md:pb-4">
      <div className={mergeClasses('min-w-0', beside ? 'flex grow items-baseline gap-x-3 max-md:flex-col' : '')}>
        <h1 className="line-clamp-4 text-xl font-semibold tracking-tight wrap-anywhere md:text-2xl">{title}</h1>
        {beside ? (
          <p className="w-0 grow truncate text-ink-soft max-md:-mt-0.5 max-md:min-w-full max-md:text-xs">{beside}</p>
        ) : null}
        {about ? <p className="mt-0.5 line-clamp-4 text-ink-soft">{about}</p> : null}
      </div>
      {children ? <div className="flex flex-wrap items-center gap-2">{children}</div> : null}
    </div>
  )
}
