import { headers } from 'next/headers'
import { pickLocale } from '@/lib/domain/locale'
import { getLanguage } from '@/lib/language/runtime'

/** The reader's locale for dates, amounts and counts on the current page. */
export async function readReaderLocale(): Promise<string> {
  return pickLocale((await headers()).get('accept-language'), getLanguage())
}

/** The reader's locale for the reply to a request. */
export function localeOf({ headers: given }: Pick<Request, 'headers'>): string {
  return pickLocale(given.get('accept-language'), getLanguage())
}
