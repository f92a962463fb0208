import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { mergeClasses } from '../ui/merge-classes'
import { Link } from './link'

/** The link to the parent page, above the page header. */
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
  /** Text beside the title, truncated so that the layout doesn't shift. */
  subtitle?: ReactNode
  about?: ReactNode
  /** Whether it is as wide as a page of cards (`max-w-page`), not as the window. */
  isNarrow?: boolean
  children?: ReactNode
}

/** The page header: the h1, a description and actions. A very long name is clamped; its record shows it in full. */
export function PageHeader({ title, subtitle, about, isNarrow = false, children }: PageHeaderProps) {
  return (
    <div
      className={mergeClasses(
        'flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 pt-4 pb-3 md:px-8 md:pt-7 md:pb-4',
        isNarrow && 'max-w-page',
      )}
    >
      <div className={mergeClasses('min-w-0', subtitle ? 'flex grow items-baseline gap-x-3 max-md:flex-col' : '')}>
        <h1 className="line-clamp-4 text-xl font-semibold tracking-tight wrap-anywhere md:text-2xl">{title}</h1>
        {subtitle ? (
          <p className="w-0 grow truncate text-ink-soft max-md:-mt-0.5 max-md:min-w-full max-md:text-xs">{subtitle}</p>
        ) : null}
        {about ? <p className="mt-0.5 line-clamp-4 text-ink-soft">{about}</p> : null}
      </div>
      {children ? <div className="flex flex-wrap items-center gap-2">{children}</div> : null}
    </div>
  )
}
