'use client'

import { type ReactNode, useId, useState } from 'react'
import { forgetAllTexts } from '@/lib/client/kept-text'
import { isGuarded, leave } from '@/lib/client/page-lifecycle'
import { postAuth, readAuthReply } from '@/lib/client/post-auth'
import { showErrorToast } from '../feedback/toast-store'
import { setUsesSlash, usesSlash } from '../search/slash-shortcut'
import { readTheme, type Theme, useTheme, writeTheme } from '@/lib/client/theme'
import * as m from '@/lib/messages/m'

type ThemeChoice = { value: Theme; name: string; icon: ReactNode }

/** Theme switch. The server does not know the choice: it is disabled, with nothing selected, until hydration. */
export function ThemeSwitch({ choices }: { choices: readonly ThemeChoice[] }) {
  const [theme, setTheme] = useTheme()
  const name = useId()
  return (
    <fieldset disabled={theme === null} className="flex rounded-md border border-line bg-canvas p-0.5">
      <legend className="sr-only">{m.shellControls_theme()}</legend>
      {choices.map(({ value, name: label, icon }) => (
        <label key={value} title={label} className="theme-choice">
          <input
            type="radio"
            name={name}
            value={value}
            checked={theme === value}
            onChange={() => setTheme(value)}
            className="sr-only"
          />
          {icon}
          <span className="sr-only">{label}</span>
        </label>
      ))}
    </fieldset>
  )
}

/** Ends the session on the server, then does a full page load, so that nothing stays in memory. */
async function signOut(): Promise<void> {
  // These belong to the device and reveal nothing about the user: they survive the clearing of storage.
  const theme = readTheme()
  const hasSlash = usesSlash()
  const response = await postAuth('signout')
  const reply = await readAuthReply(response)
  if (!reply) throw new Error(`signing out was answered ${response.status}`)
  // Where the browser does not clear storage by itself: on plain HTTP.
  forgetAllTexts()
  if (theme !== null) writeTheme(theme)
  setUsesSlash(hasSlash)
  // With an OpenID provider the user is signed out there too and redirected back.
  window.location.assign(reply.leave ?? '/sign-in')
}

/** The sign-out button. It shows a failure, for a user who walks away must know that the session is still valid. */
export function SignOutButton({ className }: { className?: string }) {
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle')
  function onClick() {
    if (state === 'busy') return
    const isAsked = isGuarded()
    // Asked before the session ends: afterwards nothing that was typed can be saved.
    leave(async () => {
      setState('busy')
      try {
        await signOut()
        return true
      } catch {
        setState('failed')
        // Where this button is in a menu, a press on the question, outside it, has closed it.
        if (isAsked) showErrorToast(m.shellControls_youAreStillSigned(), '')
        return false
      }
    })
  }
  return (
    <>
      <button type="button" aria-disabled={state === 'busy' || undefined} className={className} onClick={onClick}>
        {m.shellControls_signOut()}
      </button>
      {state === 'failed' ? (
        <p role="alert" className="basis-full px-2 text-xs font-medium text-negative">
          {m.shellControls_youAreStillSigned()}
        </p>
      ) : null}
    </>
  )
}
