import { headers } from 'next/headers'
import { pickLocale } from '@/lib/domain/locale'

/** The locale in which the page under way writes dates, amounts and counts: the reader's. */
export async function readReaderLocale(): Promise<string> {
  return pickLocale((await headers()).get('accept-language'))
}
