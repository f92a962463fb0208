import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'

type Messages = Record<string, Record<string, string>>
type Name = `${string}_${string}`

/** A reader of the texts without values of a language, by their names such as `shell_payments`. Throws if there is none. */
export function textsOf(language: string): (name: Name) => string {
  const path = join(import.meta.dirname, `../../messages/${language}.json`)
  const messages: Messages = JSON.parse(readFileSync(path, 'utf8'))
  return (name) => {
    const [namespace = '', key = ''] = name.split('_')
    const text = messages[namespace]?.[key]
    if (text === undefined) throw new Error(`messages/${language}.json has no ${name}`)
    return text
  }
}

/** The language in which the desk under test is used; `npm run smoke -- --language da` sets it. */
export const language = process.env.SMOKE_LANGUAGE ?? 'en'

/** A text of that language. */
export const textOf = textsOf(language)

/** A reader of the texts in the language of the page that is shown. */
export async function textsOn(page: Page): Promise<(name: Name) => string> {
  return textsOf((await page.locator('html').getAttribute('lang')) ?? language)
}
