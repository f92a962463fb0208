'use client'

import { useCallback, useEffect, useMemo, useState } from 'react'
import { callDesk } from './api-client'
import { type Capability, type ListId, type CapabilityProofs, usedCapabilities } from '@/lib/domain/lists/capabilities'

type Reply = { proofs: CapabilityProofs }

/**
 * What the list was proven to do: what the server knew when it made the page, and what is learnt after.
 * `doubt` gives abilities up for this page once an answer contradicted them, and has them proven again.
 */
export function useCapabilities(
  list: ListId,
  known: CapabilityProofs,
): { proofs: CapabilityProofs; doubt: (abilities: readonly Capability[]) => void } {
  const [learnt, setLearnt] = useState<CapabilityProofs>({})
  const [doubted, setDoubted] = useState<CapabilityProofs>({})
  const isComplete = usedCapabilities[list].every((ability) => ability in known)

  useEffect(() => {
    if (isComplete) return undefined
    const request = new AbortController()
    callDesk<Reply>(`/capabilities?list=${list}`, { signal: request.signal }).then(
      ({ proofs }) => setLearnt(proofs),
      // Without proofs everything still works, on the loaded rows.
      () => undefined,
    )
    return () => request.abort()
  }, [list, isComplete])

  const doubt = useCallback(
    (abilities: readonly Capability[]) => {
      setDoubted((before) => ({ ...before, ...Object.fromEntries(abilities.map((ability) => [ability, false])) }))
      callDesk<Reply>('/capabilities', { method: 'POST', body: { list, abilities } }).then(
        ({ proofs }) => setLearnt(proofs),
        () => undefined,
      )
    },
    [list],
  )

  // The same object until one is another: what is read by them would be broken off at each render.
  const proofs = useMemo(() => ({ ...known, ...learnt, ...doubted }), [known, learnt, doubted])
  return { proofs, doubt }
}
