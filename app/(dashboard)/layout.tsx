import { cookies, headers } from 'next/headers'
import type { ReactNode } from 'react'
import { Account, MerchantSwitch } from '@/components/layout/account'
import { AppNav } from '@/components/layout/app-nav'
import { AppConfigProvider } from '@/components/layout/app-config'
import { Link } from '@/components/layout/link'
import { Logo } from '@/components/layout/auth-layout'
import { Toaster } from '@/components/feedback/toaster'
import { MerchantGuard, PageFocus } from '@/components/layout/navigation'
import { LiveUpdates } from '@/components/layout/live-updates'
import { PasswordResetNotice } from '@/components/layout/password-reset-notice'
import { OutcomeAnnouncer } from '@/components/cancellations/outcome-announcer'
import { QueryProvider } from '@/components/layout/query-provider'
import { SearchButton } from '@/components/search/search-button'
import { IdentityHost } from '@/components/sign-in/identity-host'
import { densityCookie } from '@/lib/domain/lists/list-preferences'
import { hasPermission } from '@/lib/api-contract/permission'
import { type ResetInfo, resetCookie } from '@/lib/domain/accounts'
import { getConnection } from '@/lib/server/upstream/connection'
import { AppError } from '@/lib/server/runtime/app-error'
import { readReaderLocale } from '@/lib/server/http/reader-locale'
import { readOwnSessionInfo, readSessionInfo, type Session, type SessionInfo } from '@/lib/server/auth/session'
import { getSettings } from '@/lib/server/runtime/settings'
import { defaultConnectionId } from '@/lib/server/store/schema'
import { requireStore } from '@/lib/server/store/store'
import { listResetsByOthers } from '@/lib/server/team/password-links'
import * as m from '@/lib/messages/m'

/** The session to render the shell for. If the URL names a merchant of others, that is the user's own session. */
async function readShellSession(): Promise<{ visit: SessionInfo | null; isElsewhere: boolean }> {
  try {
    return { visit: await readSessionInfo(), isElsewhere: false }
  } catch (error) {
    if (error instanceof AppError && error.code === 'no-such-merchant')
      return { visit: await readOwnSessionInfo(), isElsewhere: true }
    throw error
  }
}

/**
 * Resets of the user's password through other people's links, newest first, up to the one acknowledged in this
 * browser.
 */
async function readUnknownResets(session: Session): Promise<ResetInfo[]> {
  const resets = await listResetsByOthers(await requireStore(), session, new Date())
  const known = (await cookies()).get(resetCookie)?.value
  const newer = resets.findIndex(({ id }) => id === known)
  return newer === -1 ? resets : resets.slice(0, newer)
}

/**
 * The shell. It authorizes nothing and reads no merchant data, because a layout does not run again on navigation. The
 * session is only displayed; every page checks its own.
 */
export default async function DeskLayout({ children }: { children: ReactNode }) {
  const { visit, isElsewhere } = await readShellSession()
  const session = visit?.session ?? null
  const connectionId = session?.scope.connectionId ?? null
  // Requests would carry the merchant in the URL.
  const caller = isElsewhere ? null : session
  const { name, rules } = getConnection(connectionId ?? defaultConnectionId)
  const { amounts, ...states } = rules
  const resets = session ? await readUnknownResets(session) : []
  const nonce = (await headers()).get('x-nonce') ?? undefined
  const facts = {
    connectionId: caller && connectionId,
    merchant: visit && visit.merchants.length > 1 ? connectionId : null,
    amounts,
    schemeZone: getSettings().SCHEME_ZONE,
    cutOffs: getSettings().CANCEL_CUTOFF,
    ...(caller && { role: caller.role }),
    exportDays: getSettings().KEEP_EXPORTS,
    states,
    locale: await readReaderLocale(),
    isCompact: (await cookies()).get(densityCookie)?.value === 'compact',
    ...(nonce !== undefined && { nonce }),
  }
  return (
    <AppConfigProvider config={facts}>
      {caller ? (
        <>
          <IdentityHost
            userId={caller.userId}
            email={caller.email}
            role={caller.role}
            isByProvider={visit?.hasPassword === false}
          />
          <LiveUpdates userId={caller.userId} connectionId={caller.scope.connectionId} />
        </>
      ) : null}
      <a
        href="#content"
        className="sr-only z-50 rounded-md bg-accent px-4 py-2 font-medium text-on-accent focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        {m.shell_skipToContent()}
      </a>
      <QueryProvider key={`${caller?.userId ?? ''} ${connectionId ?? ''}`}>
        <div className="md:grid md:grid-cols-[4.75rem_minmax(0,1fr)] xl:grid-cols-[14.5rem_minmax(0,1fr)] print:block">
          <header className="shell-bar z-30 flex border-line bg-surface max-md:sticky max-md:top-0 max-md:h-13 max-md:items-center max-md:justify-between max-md:border-b max-md:pr-1 max-md:pl-4 md:sticky md:top-0 md:h-dvh md:flex-col md:border-r md:pb-4">
            <Link
              href="/"
              className="flex items-center gap-2.5 rounded-md max-md:h-11 max-md:min-w-11 md:mx-5 md:mt-5 md:mb-6 md:max-xl:mb-4"
            >
              <Logo className="size-7" />
              <span className={`min-w-0 md:max-xl:sr-only ${facts.merchant === null ? '' : 'max-md:sr-only'}`}>
                <span className="block text-base font-semibold tracking-tight">{m.shell_product()}</span>
                {caller && facts.merchant === null ? (
                  <span className="block truncate text-xs text-ink-soft">{name}</span>
                ) : null}
              </span>
            </Link>
            {visit && facts.merchant !== null ? (
              <MerchantSwitch current={facts.merchant} merchants={visit.merchants} />
            ) : null}
            {caller && hasPermission(caller.role, 'read') ? <SearchButton role={caller.role} /> : null}
            <div className="shell-places md:scroll-edge md:min-h-0 md:flex-1 md:overflow-y-auto md:px-1 xl:px-3">
              <AppNav role={session?.role ?? null} showsCounts={caller !== null} />
            </div>
            {session ? <Account email={session.email} role={session.role} /> : null}
          </header>
          <main id="content" tabIndex={-1} className="min-w-0 max-md:pb-[calc(3.75rem+env(safe-area-inset-bottom))]">
            <noscript>
              <p className="border-b border-line bg-sunken px-4 py-2 text-[0.8125rem] md:px-8">
                {m.shell_withoutScript()}
              </p>
            </noscript>
            <PasswordResetNotice resets={resets} />
            <MerchantGuard>{children}</MerchantGuard>
          </main>
        </div>
      </QueryProvider>
      <PageFocus />
      <OutcomeAnnouncer />
      <Toaster />
    </AppConfigProvider>
  )
}
