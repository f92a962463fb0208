import * as words from '@/lib/words/payment-selection'
import { shorten } from './shorten'

/**
 * What a list of payments is called by: the first two names that are more than spaces, shortened to 30 letters, and how
 * many more it has, as `write` writes counts. Empty where no payment has a name.
 */
export function nameList(names: readonly string[], write: (count: number) => string): string {
  const shown: string[] = []
  for (const name of names) {
    if (shown.length === 2) break
    if (name.trim() !== '') shown.push(shorten(name.trim(), 30))
  }
  const others = names.length - shown.length
  return others > 0 && shown.length > 0 ? words.andMore(shown.join(', '), write(others)) : shown.join(words.and)
}
