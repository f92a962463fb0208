'use client'

import { PageFailure } from '@/components/feedback/page-failure'
import { readTheme } from '@/lib/client/theme'
import { geist } from './fonts'
import './globals.css'
import { getLanguage } from '@/lib/language/runtime'
import * as m from '@/lib/messages/m'

/** Replaces the whole page when an error is outside of the shell. */
export default function ErrorPage({ error }: { error: Error & { digest?: string } }) {
  const page = typeof window === 'undefined' ? undefined : document
  return (
    <html
      lang={getLanguage()}
      className={geist.variable}
      data-theme={page ? (page.documentElement.dataset.theme ?? readTheme()) : undefined}
    >
      <head>
        <title>{m.pageFailure_thisPageCouldNot()}</title>
      </head>
      <body className="font-sans">
        <main>
          <PageFailure digest={error.digest} />
        </main>
      </body>
    </html>
  )
}
