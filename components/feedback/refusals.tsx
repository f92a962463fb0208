import { Lock, SearchX } from 'lucide-react'
import { Link } from '../layout/link'
import { buttonClasses } from '../ui/button'
import * as m from '@/lib/messages/m'

type NothingHereProps = {
  title?: string
  about?: string
  href?: string
  link?: string
  /** Whether the link leads away from the merchant in the address. */
  leavesMerchant?: boolean
}

/** Not found; pages that know more say why and link elsewhere. */
export function NothingHere({
  title = m.problems_nothingHere(),
  about = m.problems_addressMayBeMistyped(),
  href = '/',
  link = m.pageFailure_startPage(),
  leavesMerchant = false,
}: NothingHereProps) {
  const className = `mt-6 ${buttonClasses('primary')}`
  return (
    <div className="mx-auto flex min-h-[60dvh] max-w-md flex-col items-center justify-center px-6 py-16 text-center">
      <SearchX strokeWidth={1.5} className="size-8 text-ink-faint" />
      <h1 className="mt-4 text-xl font-semibold tracking-tight">{title}</h1>
      <p className="mt-2 text-ink-soft">{about}</p>
      {leavesMerchant ? (
        <a href={href} className={className}>
          {link}
        </a>
      ) : (
        <Link href={href} className={className}>
          {link}
        </Link>
      )}
    </div>
  )
}

/** Shown instead of a form that only admins may use. */
export function RoleRefusal({ what }: { what: string }) {
  return (
    <div data-problem="refused" className="mx-auto flex max-w-md flex-col items-center px-6 py-16 text-center">
      <Lock strokeWidth={1.5} className="size-8 text-ink-faint" />
      <p className="mt-3 text-base font-semibold">{m.problems_yourRoleDoesNotAllow()}</p>
      <p className="mt-1 text-ink-soft">{m.problems_onlyAnAdmin({ what })}</p>
    </div>
  )
}
