import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The language in which the desk under test is used; `npm run smoke -- --language da` sets it. */
export const language = process.env.SMOKE_LANGUAGE ?? 'en'

type Messages = Record<string, Record<string, string>>

const messages: Messages = JSON.parse(
  readFileSync(join(import.meta.dirname, `../../messages/${language}.json`), 'utf8'),
)

/** A text without values, by its name such as `shell_payments`. Throws if there is none. */
export function textOf(name: `${string}_${string}`): string {
  const [namespace = '', key = ''] = name.split('_')
  const text = messages[namespace]?.[key]
  if (text === undefined) throw new Error(`messages/${language}.json has no ${name}`)
  return text
}
