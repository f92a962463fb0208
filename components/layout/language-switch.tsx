'use client'

import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useEffect, useId } from 'react'
import { callDesk } from '@/lib/client/api-client'
import { nameLanguage, storeLanguage } from '@/lib/client/language'
import { useHydrated } from '@/lib/client/page-lifecycle'
import { getLanguage, type Language } from '@/lib/language/runtime'
import { languages } from '@/lib/messages/languages'
import { toProblemInfo } from '../feedback/problem-display'
import { ProblemNotice } from '../feedback/problem-notice'
import { Select } from '../ui/input'
import * as m from '@/lib/messages/m'

/** Renders the page in another language, in place: what was typed stays. */
function useSwitch(): (language: Language) => void {
  const router = useRouter()
  return (language) => {
    document.documentElement.lang = language
    router.refresh()
  }
}

/** Offers the other languages where nobody is signed in; the choice stays in this browser. */
export function BrowserLanguageSwitch() {
  const switchTo = useSwitch()
  const inBrowser = useHydrated()
  const current = getLanguage()
  return (
    <nav aria-label={m.language_language()} className="mt-6 flex justify-center gap-1 text-[0.8125rem]">
      {languages.map((language) => (
        <button
          key={language}
          type="button"
          lang={language}
          disabled={!inBrowser}
          aria-current={language === current ? 'true' : undefined}
          className="min-h-9 rounded-md px-2.5 text-ink-soft underline-offset-2 hover:text-ink hover:underline aria-[current]:font-medium aria-[current]:text-ink max-md:min-h-11"
          onClick={() => {
            storeLanguage(language)
            switchTo(language)
          }}
        >
          {nameLanguage(language)}
        </button>
      ))}
    </nav>
  )
}

/** The language of the account, in every browser; the empty choice follows the browser's. */
export function AccountLanguage({ chosen }: { chosen: Language | null }) {
  const id = useId()
  const switchTo = useSwitch()
  const save = useMutation({
    mutationFn: (language: Language | null) =>
      callDesk<{ language: Language }>('/language', { method: 'PUT', body: { language } }),
    scope: { id: 'language' },
    onSuccess: ({ language }, wanted) => {
      storeLanguage(wanted)
      switchTo(language)
    },
  })
  return (
    <section
      aria-labelledby={`${id}-heading`}
      className="grid gap-3 rounded-lg border border-line bg-surface p-5 max-md:p-4"
    >
      <h2 id={`${id}-heading`} className="font-semibold">
        {m.language_language()}
      </h2>
      <Select
        aria-labelledby={`${id}-heading`}
        className="w-full max-w-60"
        value={(save.isPending ? save.variables : chosen) ?? ''}
        onChange={({ target }) => save.mutate(languages.find((language) => language === target.value) ?? null)}
      >
        <option value="">{m.language_sameAsBrowser()}</option>
        {languages.map((language) => (
          <option key={language} value={language} lang={language}>
            {nameLanguage(language)}
          </option>
        ))}
      </Select>
      {save.error ? <ProblemNotice problem={toProblemInfo(save.error)} /> : null}
    </section>
  )
}

/** Keeps the account's language in this browser too, for the pages before the next sign-in. */
export function KeepLanguage({ language }: { language: Language }) {
  useEffect(() => storeLanguage(language), [language])
  return null
}
