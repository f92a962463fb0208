import { notFound } from 'next/navigation'
import { createMetadata } from '@/lib/server/auth/page-metadata'
import { requirePageSession } from '@/lib/server/auth/session'
import * as m from '@/lib/messages/m'

export const generateMetadata = createMetadata(m.problems_nothingHere)

type PageProps = { params: Promise<{ unknown: string[] }> }

/** Built files, data and webhooks: nobody who asks for them could sign in. */
const folders = ['_next', 'api', 'hooks']

/** What is at no address of the desk is said in the shell, where the way on is. */
export default async function UnknownPage({ params }: PageProps): Promise<never> {
  const [folder = ''] = (await params).unknown
  if (!folders.includes(folder)) await requirePageSession('account')
  notFound()
}
