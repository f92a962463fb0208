'use client'

import { Said } from '../said'
import { Timestamp } from '../timestamp'
import { Modal } from '../ui/modal'
import { readPastNotices } from './past-notices'
import * as words from '@/lib/words/finding'

/** What has been confirmed, to be read again. */
export function NoticesDialog({ onClose }: { onClose: () => void }) {
  const notices = readPastNotices()
  return (
    <Modal title={words.notices} onClose={onClose}>
      {notices.length === 0 ? (
        <p className="text-ink-soft">{words.noNotices}</p>
      ) : (
        <ol aria-label={words.noticesInOrder} className="border-y border-line">
          {notices.map(({ title, words, at }, index) => (
            <li
              key={`${at} ${notices.length - index}`}
              className="flex flex-wrap items-baseline justify-between gap-x-4 border-b border-line py-2 last:border-b-0"
            >
              <p>
                <span className="font-medium">
                  <Said>{title}</Said>
                </span>{' '}
                <Said>{words}</Said>
              </p>
              <p className="text-[0.8125rem] text-ink-soft">
                <Timestamp value={at} />
              </p>
            </li>
          ))}
        </ol>
      )}
    </Modal>
  )
}
