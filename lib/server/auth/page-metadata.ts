import type { Metadata } from 'next'
import type { Message } from '@/lib/language/runtime'
import { readSessionInfo } from './session'

/**
 * A page's `generateMetadata`, for its title. Next writes metadata before the page, so it reads the session itself: only
 * then is an account's own language known.
 */
export function createMetadata(title: Message): () => Promise<Metadata> {
  return async () => {
    await readSessionInfo().catch(() => null)
    return { title: title() }
  }
}
