import { expect, it } from 'vitest'
import {
  dropConfirmations,
  readPastNotices,
  recordNotice,
  showErrorToast,
  showToast,
  showUndoToast,
  takePendingToasts,
} from './toast-store'

it('keeps the latest fifty confirmations, the latest first', () => {
  const notices = Array.from({ length: 60 }, (_, at) => ({
    title: `Saved ${at}`,
    text: '',
    at: new Date(at).toISOString(),
  }))
  for (const notice of notices) recordNotice(notice)
  expect(readPastNotices()).toEqual(notices.toReversed().slice(0, 50))
})

it('a fault waits until it can be shown, a confirmation does not', () => {
  showToast('Customer saved')
  showErrorToast('Not cancelled: Jens Holm', 'Debitdesk can’t be reached')
  dropConfirmations()
  expect(takePendingToasts().map(({ title }) => title)).toEqual(['Not cancelled: Jens Holm'])
})

it('what can no longer be undone is not offered', () => {
  const left = new AbortController()
  showUndoToast('2 payments deselected', () => undefined, left.signal)
  left.abort()
  expect(takePendingToasts()).toEqual([])
})
