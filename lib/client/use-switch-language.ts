'use client'

import { useRouter } from 'next/navigation'
import type { Language } from '@/lib/language/runtime'

/** Renders the page in another language, in place: what was typed stays. */
export function useSwitchLanguage(): (language: Language) => void {
  const router = useRouter()
  return (language) => {
    document.documentElement.lang = language
    router.refresh()
  }
}
