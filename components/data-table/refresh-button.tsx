'use client'

import { ArrowUp, RefreshCw } from 'lucide-react'
import { useCallback, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import { readProblemFacts } from '@/lib/browser/problem-facts'
import type { RowList } from '@/lib/browser/row-list'
import { PageForm } from '../page-form'
import * as words from '@/lib/words/lists'
import { chooseProblemFace } from '../problem-face'
import { Button } from '../ui/button'
import { useCount } from '../use-count'

/** Who looks away for so long finds the top of the list read again on return (milliseconds). */
const stale = 60_000

type RefreshButtonProps<Row> = {
  list: RowList<Row>
  /** Whether new rows appear on top. */
  isNewestFirst: boolean
  onShowFresh: () => void
}

/** Reads the first page again, and no other, and offers what is new on it. */
export function RefreshButton<Row>({ list, isNewestFirst, onShowFresh }: RefreshButtonProps<Row>) {
  const readFresh = () => list.fresh
  const fresh = useSyncExternalStore(list.changes.subscribe, readFresh, readFresh)
  const formatCount = useCount()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<{ title: string; detail: string } | null>(null)
  const request = useRef<AbortController | null>(null)

  const refresh = useCallback(async () => {
    if (request.current) return
    const mine = new AbortController()
    request.current = mine
    setBusy(true)
    try {
      await list.refresh(isNewestFirst, mine.signal)
      setFailure(null)
    } catch (error) {
      if (mine.signal.aborted) return
      const facts = readProblemFacts(error)
      const { title } = chooseProblemFace(facts)
      setFailure({ title, detail: facts.detail ?? title })
    } finally {
      request.current = null
      setBusy(false)
    }
  }, [list, isNewestFirst])

  const refreshQuietly = useEffectEvent(() => void refresh())
  useEffect(() => {
    let hiddenAt = Number.POSITIVE_INFINITY
    const look = () => {
      if (document.visibilityState === 'hidden') hiddenAt = Date.now()
      else if (Date.now() - hiddenAt > stale) refreshQuietly()
    }
    document.addEventListener('visibilitychange', look)
    return () => {
      document.removeEventListener('visibilitychange', look)
      request.current?.abort()
    }
  }, [])

  return (
    <>
      {failure ? (
        <p role="alert" className="max-w-md truncate text-[0.8125rem] text-negative" title={failure.detail}>
          {words.notRefreshedWhy(failure.title)}
        </p>
      ) : null}
      {fresh > 0 ? (
        <Button tone="primary" onClick={onShowFresh}>
          <ArrowUp className="size-4" />
          {words.fresh(formatCount(fresh))}
        </Button>
      ) : null}
      <PageForm onSubmit={() => void refresh()}>
        <Button
          type="submit"
          aria-busy={isBusy}
          title={words.readTheFirstPageAgain}
          className="max-md:w-11 max-md:px-0"
        >
          <RefreshCw className="size-4" />
          <span className="max-md:sr-only">{words.refresh}</span>
        </Button>
      </PageForm>
    </>
  )
}
