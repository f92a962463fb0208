import { ArrowLeft } from 'lucide-react'
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
