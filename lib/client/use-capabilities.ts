'use client'

import { useCallback, useEffect, useMemo, useState } from 'react'
import { callDesk } from './api-client'
import { type Capability, type ListId, type CapabilityProofs, usedCapabilities } from '@/lib/domain/lists/capabilities'

type Reply = { proofs: CapabilityProofs }

/** Has capabilities of a list that a reply contradicted probed again. Throws CallError. */
export function doubtCapabilities(
  list: ListId,
  abilities: readonly Capability[],
  { quiet = false } = {},
): Promise<Reply> {
  return callDesk<Reply>('/capabilities', { method: 'POST', body: { list, abilities }, quiet })
}

/**
 * The proven capabilities of a list: what the server knew when it rendered the page, and later probes. `invalidate` drops
 * capabilities for this page once a reply contradicted them, and has them probed again.
 */
export function useCapabilities(
  list: ListId,
  known: CapabilityProofs,
): { proofs: CapabilityProofs; invalidate: (abilities: readonly Capability[]) => void } {
  const [probed, setProbed] = useState<CapabilityProofs>({})
  const [invalidated, setInvalidated] = useState<CapabilityProofs>({})
  const isComplete = usedCapabilities[list].every((ability) => ability in known)

  useEffect(() => {
    if (isComplete) return undefined
    const request = new AbortController()
    callDesk<Reply>(`/capabilities?list=${list}`, { signal: request.signal }).then(
      ({ proofs }) => setProbed(proofs),
      // Without proofs filters and sorting still work, on the loaded rows.
      () => undefined,
    )
    return () => request.abort()
  }, [list, isComplete])

  const invalidate = useCallback(
    (abilities: readonly Capability[]) => {
      setInvalidated((before) => ({ ...before, ...Object.fromEntries(abilities.map((ability) => [ability, false])) }))
      doubtCapabilities(list, abilities).then(
        ({ proofs }) => setProbed(proofs),
        () => undefined,
      )
    },
    [list],
  )

  // A stable object: a new one would restart the queries that depend on it.
  const proofs = useMemo(() => ({ ...known, ...probed, ...invalidated }), [known, probed, invalidated])
  return { proofs, invalidate }
}
