'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ArrowUp, RefreshCw } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useEffect, useEffectEvent, useTransition } from 'react'
import { patchRows } from '@/lib/browser/list-query'
import { readProblemFacts } from '@/lib/browser/problem-facts'
import type { ListId } from '@/lib/contract/ability'
import type { ListRow } from '@/lib/contract/list-page'
import * as words from '@/lib/words/lists'
import { PageForm } from '../page-form'
import { chooseProblemFace } from '../problem-face'
import { Button } from '../ui/button'
import { useCount } from '../use-count'
import { readNews } from './read-news'
import type { RowList } from './use-row-list'

/** Who looks away for so long finds the top of the list read again on return (milliseconds). */
const stale = 60_000

type RefreshButtonProps<List extends ListId> = {
  listId: List
  list: RowList<ListRow<List>>
  /** Called when new rows were put on top. */
  onTop: () => void
}

/**
 * Reads the head of the list again, and its end where that was reached: rows that are here are replaced in their place, new
 * ones are offered on top, or, where they do not simply stand before the others, by reading the list anew.
 */
export function RefreshButton<List extends ListId>({ listId, list, onTop }: RefreshButtonProps<List>) {
  const client = useQueryClient()
  const router = useRouter()
  const formatCount = useCount()
  const [isReloading, startReload] = useTransition()
  const {
    mutate,
    data: news,
    error,
    isPending,
  } = useMutation({
    mutationFn: () => readNews(list),
    onSuccess: ({ known }) => patchRows(client, listId, known),
  })

  const refreshQuietly = useEffectEvent(() => isPending || mutate())
  useEffect(() => {
    let hiddenAt = Number.POSITIVE_INFINITY
    const look = () => {
      if (document.visibilityState === 'hidden') hiddenAt = Date.now()
      else if (Date.now() - hiddenAt > stale) refreshQuietly()
    }
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])

  function showNews(): void {
    if (!news) return
    if (!news.isOnTop) return startReload(() => router.refresh())
    list.change((pages) => {
      const [first, ...others] = pages.pages
      const here = new Set(pages.pages.flatMap(({ results }) => results.map(({ id }) => id)))
      const top = news.top.filter(({ id }) => !here.has(id))
      if (!first || top.length === 0) return pages
      return { ...pages, pages: [{ ...first, results: [...top, ...first.results] }, ...others] }
    })
    onTop()
  }

  const count = news?.fresh.filter(({ id }) => id === null || list.get(id) === undefined).length ?? 0
  const failure = error ? readProblemFacts(error) : null
  const title = failure && chooseProblemFace(failure).title
  return (
    <>
      {title ? (
        <p role="alert" className="max-w-md truncate text-[0.8125rem] text-negative" title={failure?.detail ?? title}>
          {words.notRefreshedWhy(title)}
        </p>
      ) : null}
      {count > 0 ? (
        <Button tone="primary" onClick={showNews} aria-busy={isReloading}>
          <ArrowUp aria-hidden className="size-4" />
          {news?.isOnTop ? words.fresh(formatCount(count)) : words.freshByLoadingAnew(formatCount(count))}
        </Button>
      ) : null}
      <PageForm onSubmit={() => isPending || mutate()}>
        <Button
          type="submit"
          aria-busy={isPending}
          title={words.readTheFirstPageAgain}
          className="max-md:w-11 max-md:px-0"
        >
          <RefreshCw aria-hidden className="size-4" />
          <span className="max-md:sr-only">{words.refresh}</span>
        </Button>
      </PageForm>
    </>
  )
}
