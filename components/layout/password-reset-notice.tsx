import type { ResetInfo } from '@/lib/domain/accounts'
import { Link } from './link'
import { ResetAnswer } from './reset-answer'
import { Timestamp } from '../records/dates'
import { RichMessage } from '../ui/rich-message'
import * as m from '@/lib/messages/m'

/**
 * Warns that the user's password was set through a link created by somebody else, until they acknowledge it. Its words
 * are the server's, for few ever see them.
 */
export function PasswordResetNotice({ resets }: { resets: ResetInfo[] }) {
  const [newest] = resets
  if (!newest) return null
  return (
    <ResetAnswer id={newest.id}>
      <p className="min-w-0 flex-1 basis-72 break-words">
        {resets.map(({ id, madeBy, at }) => (
          <span key={id}>
            <RichMessage
              message={m.shell_resetWithLinkBy}
              parts={{ maker: madeBy, time: <Timestamp key={id} value={at} /> }}
            />{' '}
          </span>
        ))}
        <RichMessage
          message={m.shell_whereNotYou}
          parts={{
            link: (
              <Link href="/account" className="font-medium text-accent-ink underline">
                {m.shell_whereNotYouLink()}
              </Link>
            ),
          }}
        />
      </p>
    </ResetAnswer>
  )
}
