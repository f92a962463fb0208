'use client'

import { useLoaded } from '../use-loaded'

const loadNotices = async () => (await import('./notices')).Notices

/** Stands in the shell, so that a notice outlives the page that it came from. What shows notices is fetched once the page works. */
export function NoticeHost() {
  const { part: Notices } = useLoaded(true, loadNotices)
  return Notices && <Notices />
}
