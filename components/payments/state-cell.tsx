'use client'

import { StatusBadge } from './status-badge'
import { TestMark } from './test-badge'

/** The state of a payment, and whether it is a test where the list has no column for that. */
export function StateCell({ status, test }: { status: string | null; test: boolean | null }) {
  return (
    <>
      <StatusBadge status={status} />
      {test ? <TestMark /> : null}
    </>
  )
}
