import { notFound } from 'next/navigation'
import { requirePageSession } from '@/lib/server/auth/session'

/** What is at no address of the desk is said in the shell, where the way on is. */
export default async function UnknownPage(): Promise<never> {
  await requirePageSession('account')
  notFound()
}
