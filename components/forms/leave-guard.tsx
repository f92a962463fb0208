'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { type Go, guardLeaving, isGuarded } from '@/lib/client/page-lifecycle'
import { AlertDialog, AlertDialogDescription } from '../ui/alert-dialog'
import { Button } from '../ui/button'
import * as m from '@/lib/messages/m'

/** The internal URL that a click would open in this tab; null for any other click. */
function findLinkTarget(event: MouseEvent): string | null {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return null
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (!link || link.origin !== location.origin || (link.target && link.target !== '_self')) return null
  const isHere = link.pathname === location.pathname && link.search === location.search
  return isHere ? null : link.pathname + link.search + link.hash
}

function isMarked(): boolean {
  const state: unknown = history.state
  return typeof state === 'object' && state !== null && 'guardsForm' in state
}

/** The address of the guard's entry while it is the current one: its mark is lost where Next.js reads the page again. */
let guardedAddress: string | null = null

/** Whether the current history entry is one that a guard has made. */
function isGuardEntry(): boolean {
  return isMarked() || guardedAddress === location.href
}

/** Whether this document is being left, as was agreed to: then no guard lets the browser ask again. */
let isLeaving = false

let removal: Promise<void> | null = null

/** Within this time Back has led from a guard's entry to that of its form, unless it leads nowhere. */
const MAX_REMOVAL_MS = 500

/** Goes back from a guard's entry to that of its form, which Back would lead into again. */
function removeEntry(): void {
  guardedAddress = null
  removal = new Promise<void>((resolve) => {
    const end = () => {
      window.removeEventListener('popstate', onBack)
      removal = null
      resolve()
    }
    const timer = setTimeout(end, MAX_REMOVAL_MS)
    function onBack() {
      clearTimeout(timer)
      // After every listener: Next's router drops a navigation that begins before it has followed the browser.
      setTimeout(end)
    }
    window.addEventListener('popstate', onBack, { once: true })
    history.back()
  })
}

/** Resolves once no guard that is gone has a history entry left; only then may what was saved be left by code. */
export async function waitForRemoval(): Promise<void> {
  await removal
}

/**
 * While mounted, confirms before leaving: by link, by code (see `leave`), by Back, by closing the tab. Back is caught
 * with a history entry of its own, for browsers cannot be told to stay; it is removed again with the guard, and
 * before anything else leads away. `loses`: what leaving would lose, by default what was typed.
 */
export function LeaveGuard({ loses = 'input' }: { loses?: 'input' | 'token' | 'secret' }) {
  const router = useRouter()
  const [asked, setAsked] = useState<{ go: () => void; isReload: boolean } | null>(null)
  const stayButton = useRef<HTMLButtonElement>(null)
  const confirmLeaving = useEffectEvent((go: () => void, isReload = false) => setAsked({ go, isReload }))
  const follow = useEffectEvent((address: string) => router.push(address))

  useEffect(() => {
    const guarded = location.href
    let isOver = false
    const addEntry = () => {
      if (isOver) return
      if (!isGuardEntry()) history.pushState({ guardsForm: true }, '', guarded)
      guardedAddress = location.href
    }
    if (removal) void removal.then(addEntry)
    else addEntry()
    /** Navigates from the form's own entry, which Back then leads to once. */
    const leaveBy = async (go: Go) => {
      if (isGuardEntry() && !removal) removeEntry()
      await waitForRemoval()
      isLeaving = true
      const isLeft = await go()
      isLeaving = isLeft === true
      if (isLeft === false) addEntry()
    }
    const onClick = (event: MouseEvent) => {
      // A link within the page leads on from this entry: Back finds it by its mark alone.
      if (isGuardEntry() && !isMarked()) history.replaceState({ guardsForm: true }, '')
      const address = findLinkTarget(event)
      if (address === null) return
      event.preventDefault()
      event.stopPropagation()
      confirmLeaving(() => void leaveBy(() => follow(address)))
    }
    const onBack = () => {
      guardedAddress = isMarked() ? location.href : null
      if (removal || location.href !== guarded || isGuardEntry()) return
      addEntry()
      // Over this entry and that of the form.
      confirmLeaving(() => history.go(-2))
    }
    const onUnload = (event: BeforeUnloadEvent) => {
      if (!isLeaving) event.preventDefault()
    }
    const endGuard = guardLeaving((go, isReload) => confirmLeaving(() => void leaveBy(go), isReload))
    document.addEventListener('click', onClick, true)
    window.addEventListener('popstate', onBack)
    window.addEventListener('beforeunload', onUnload)
    return () => {
      endGuard()
      document.removeEventListener('click', onClick, true)
      window.removeEventListener('popstate', onBack)
      window.removeEventListener('beforeunload', onUnload)
      isOver = true
      if (isGuarded()) return
      if (location.href === guarded && isGuardEntry() && !removal) removeEntry()
      guardedAddress = null
    }
  }, [])

  if (!asked) return null
  const { go, isReload } = asked
  const texts =
    loses === 'token'
      ? { title: m.forms_leaveWithoutToken(), about: m.forms_tokenIsLost(), stay: m.forms_stay() }
      : loses === 'secret'
        ? { title: m.forms_leaveWithoutSecret(), about: m.forms_secretIsLost(), stay: m.forms_stay() }
        : isReload
          ? { title: m.forms_reloadWithoutSaving(), about: m.forms_typedIsDiscarded(), stay: m.forms_keepTyped() }
          : { title: m.forms_leaveWithoutSaving(), about: m.forms_whatYouTyped(), stay: m.forms_stay() }
  return (
    <AlertDialog title={texts.title} onLeave={() => setAsked(null)} initialFocus={stayButton}>
      <div className="px-6 pt-3 pb-5 max-md:px-4">
        <AlertDialogDescription>{texts.about}</AlertDialogDescription>
      </div>
      <div className="flex flex-wrap justify-end gap-2 border-t border-line px-6 py-4 max-md:px-4">
        <Button
          tone="quiet-danger"
          onClick={() => {
            // A second press would lead one page too far.
            setAsked(null)
            go()
          }}
        >
          {isReload ? m.forms_reload() : m.forms_leave()}
        </Button>
        <Button ref={stayButton} tone="primary" onClick={() => setAsked(null)}>
          {texts.stay}
        </Button>
      </div>
    </AlertDialog>
  )
}
