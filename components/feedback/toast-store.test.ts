import { expect, it } from 'vitest'
import { recordNotice, readPastNotices } from './toast-store'

it('keeps the latest fifty confirmations, the latest first', () => {
  const notices = Array.from({ length: 60 }, (_, at) => ({
    title: `Saved ${at}`,
    words: '',
    at: new Date(at).toISOString(),
  }))
  for (const notice of notices) recordNotice(notice)
  expect(readPastNotices()).toEqual(notices.toReversed().slice(0, 50))
})
