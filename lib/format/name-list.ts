import { isUuid } from '@/lib/contract/ids'
import * as words from '@/lib/words/payment-selection'
import { shorten } from './shorten'

/** A UUID says enough by its first part, any other name by its first 30 letters. */
function shortenName(name: string): string {
  return shorten(name, isUuid(name) ? 8 : 30)
}

/**
 * What a list of payments is called by: the first two names that are more than spaces, shortened, and how many more it
 * has, as `write` writes counts. Empty where no payment has a name.
 */
export function nameList(names: readonly string[], write: (count: number) => string): string {
  const shown: string[] = []
  for (const name of names) {
    if (shown.length === 2) break
    if (name.trim() !== '') shown.push(shortenName(name.trim()))
  }
  const others = names.length - shown.length
  return others > 0 && shown.length > 0 ? words.andMore(shown.join(', '), write(others)) : shown.join(words.and)
}
