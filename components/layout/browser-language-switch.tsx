'use client'

import { nameLanguage, storeLanguage } from '@/lib/client/language'
import { useHydrated } from '@/lib/client/page-lifecycle'
import { useSwitchLanguage } from '@/lib/client/use-switch-language'
import { getLanguage } from '@/lib/language/runtime'
import { languages } from '@/lib/messages/languages'
import * as m from '@/lib/messages/m'

/** Offers the other languages where nobody is signed in; the choice stays in this browser. */
export function BrowserLanguageSwitch() {
  const switchTo = useSwitchLanguage()
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
