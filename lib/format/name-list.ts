import * as words from '@/lib/words/payment-selection'
import { shorten } from './shorten'

/** What a list of payments is called by: its first two names, shortened to 30 letters, and how many more it has. */
export function nameList(names: readonly string[]): string {
  const shown = names.slice(0, 2).map((name) => shorten(name, 30))
  const others = names.length - shown.length
  if (others > 0) return words.andMore(shown.join(', '), others)
  return shown.join(words.and)
}
