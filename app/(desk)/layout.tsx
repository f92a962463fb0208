import Link from 'next/link'
import type { ReactNode } from 'react'
import { Account } from '@/components/account'
import { AppNav } from '@/components/app-nav'
import { DeskFactsProvider } from '@/components/desk-facts'
import { Logo } from '@/components/logo'
import { OutcomeAnnouncer } from '@/components/payments/outcome-announcer'
import { SearchButton } from '@/components/search/search-button'
import { mayRole } from '@/lib/contract/permission'
import { readSession } from '@/lib/server/session'
import { getSettings } from '@/lib/server/settings'

/**
 * The shell. It checks no permission and reads no data: a layout does not run again when the page
 * changes. The session is read only to show who is signed in; every page asks for its own.
 */
export default async function DeskLayout({ children }: { children: ReactNode }) {
  const session = await readSession()
  const settings = getSettings()
  const facts = {
    amounts: settings.UPSTREAM_AMOUNTS,
    schemeZone: settings.SCHEME_ZONE,
    states: {
      cancellable: settings.UPSTREAM_CANCELLABLE,
      cancelled: settings.UPSTREAM_CANCELLED,
      final: settings.UPSTREAM_FINAL,
    },
    locale: 'en-GB',
  }
  return (
    <DeskFactsProvider facts={facts}>
      <a
        href="#content"
        className="sr-only z-50 rounded-md bg-accent px-4 py-2 font-medium text-on-accent focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        Skip to content
      </a>
      <div className="md:grid md:grid-cols-[14.5rem_minmax(0,1fr)]">
        <header className="z-30 flex border-line bg-surface max-md:sticky max-md:top-0 max-md:h-13 max-md:items-center max-md:justify-between max-md:border-b max-md:pr-1 max-md:pl-4 md:sticky md:top-0 md:h-dvh md:flex-col md:border-r md:pb-4">
          <Link href="/" prefetch={false} className="flex items-center gap-2.5 rounded-md md:mx-5 md:mt-5 md:mb-6">
            <Logo className="size-7" />
            <span className="text-base font-semibold tracking-tight">Debitdesk</span>
          </Link>
          {session ? <SearchButton mayManage={mayRole(session.role, 'manage')} /> : null}
          <div className="md:min-h-0 md:flex-1 md:overflow-y-auto md:px-3">
            <AppNav />
          </div>
          {session ? <Account email={session.email} role={session.role} /> : null}
        </header>
        <main id="content" tabIndex={-1} className="min-w-0 max-md:pb-[calc(3.75rem+env(safe-area-inset-bottom))]">
          {children}
        </main>
      </div>
      <OutcomeAnnouncer />
    </DeskFactsProvider>
  )
}
