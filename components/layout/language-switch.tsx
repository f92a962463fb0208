'use client'

import { useMutation } from '@tanstack/react-query'
import { useId, useTransition } from 'react'
import { callDesk } from '@/lib/client/api-client'
import { nameLanguage, storeLanguage } from '@/lib/client/language'
import { useSwitchLanguage } from '@/lib/client/use-switch-language'
import type { Language } from '@/lib/language/runtime'
import { languages } from '@/lib/messages/languages'
import { toProblemInfo } from '../feedback/problem-display'
import { ProblemNotice } from '../feedback/problem-notice'
import { Select } from '../ui/input'
import * as m from '@/lib/messages/m'

/** The language of the account, in every browser; the empty choice follows the browser's. */
export function AccountLanguage({ chosen }: { chosen: Language | null }) {
  const id = useId()
  const switchTo = useSwitchLanguage()
  const [isSwitching, startSwitching] = useTransition()
  const save = useMutation({
    mutationFn: (language: Language | null) =>
      callDesk<{ language: Language }>('/language', { method: 'PUT', body: { language } }),
    scope: { id: 'language' },
    onSuccess: ({ language }) => {
      // What was once chosen on this browser's sign-in page holds no longer.
      storeLanguage(null)
      startSwitching(() => switchTo(language))
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
        value={(save.isPending || isSwitching ? save.variables : chosen) ?? ''}
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
