import type { ListId } from '@/lib/contract/ability'
import { endpoints } from '@/lib/contract/endpoints'
import { followPages, type NextPage } from '@/lib/contract/follow-pages'
import { spellFields } from '@/lib/contract/spell-fields'
import * as words from '@/lib/words/doctor-findings'
import { explain, type Patient } from './patient'

/** One list as far as it was walked: the rows as they came, and as the desk reads them. */
export type Walked = { raw: Record<string, unknown>[]; rows: Record<string, unknown>[] }

const mostPages = 20
const asked = 100

const ends: Record<string, string> = words.incompleteness

function readRaw(json: unknown): Record<string, unknown>[] {
  const spelled = spellFields(json, ['results'])
  const results: unknown = typeof spelled === 'object' && spelled !== null ? Reflect.get(spelled, 'results') : undefined
  return Array.isArray(results) ? results.filter((row) => typeof row === 'object' && row !== null) : []
}

/** What is odd about a walk, each in words. */
function findOddities(walked: Walked, sizes: readonly number[], unreadable: number): string[] {
  const ids = walked.rows.flatMap(({ id }) => (typeof id === 'string' ? [id] : []))
  const doubled = ids.length - new Set(ids).size
  const [first = 0] = sizes
  return [
    ...(unreadable > 0 ? [words.paging.entriesThatAreNoRecords(unreadable)] : []),
    ...(doubled > 0 ? [words.paging.idsThatCameMoreThanOnce(doubled)] : []),
    ...(ids.length < walked.rows.length ? [words.paging.rowsWithoutAnId(walked.rows.length - ids.length)] : []),
    ...(first > asked ? [words.paging.aPageHoldsMore(first, asked)] : []),
  ]
}

/** Walks a list to its end, 20 pages at most, and says how that went. Null where not even one page could be read. */
export async function checkPaging(patient: Patient, list: ListId, area: string): Promise<Walked | null> {
  const walked: Walked = { raw: [], rows: [] }
  const sizes: number[] = []
  const follow = followPages()
  let unreadable = 0
  let after: string | undefined
  let end: NextPage | { kind: 'long' } | { kind: 'failed'; why: string } = { kind: 'long' }
  for (let page = 0; page < mostPages; page += 1) {
    try {
      const reply = await patient.read(list, { query: { limit: asked, after } })
      const read = reply.status >= 200 && reply.status < 300 ? endpoints[list].reply.safeParse(reply.json) : undefined
      if (!read?.success) {
        const why = read ? words.paging.isNotTheDocumentedContainer : words.itAnswered(reply.status)
        end = { kind: 'failed', why }
        break
      }
      const { results, continuation } = read.data
      walked.raw.push(...readRaw(reply.json))
      walked.rows.push(...results.map((row) => ({ ...row })))
      unreadable += read.data.unreadable
      sizes.push(results.length)
      end = follow(continuation)
      if (end.kind !== 'more') break
      after = end.after
      if (page === mostPages - 1) end = { kind: 'long' }
    } catch (error) {
      end = { kind: 'failed', why: explain(error) }
      break
    }
  }
  const loaded = words.paging.loaded(walked.rows.length, sizes.length)
  if (end.kind === 'failed') {
    const isFirst = sizes.length === 0
    const detail = isFirst ? words.paging.theFirstPage(end.why) : words.paging.afterItTheNextPage(loaded, end.why)
    patient.note(area, 'paging', 'failure', detail)
    return isFirst ? null : walked
  }
  if (end.kind === 'end') patient.note(area, 'paging', 'ok', words.paging.toTheEnd(loaded))
  else if (end.kind === 'incomplete' && end.reason === 'offset-repeated')
    patient.note(area, 'paging', 'warning', words.paging.goesRound(loaded))
  else if (end.kind === 'incomplete')
    patient.note(area, 'paging', 'warning', words.paging.endsOddly(loaded, ends[end.reason] ?? end.reason))
  else patient.note(area, 'paging', 'note', words.paging.thereIsMore(loaded))
  const [largest = 0] = sizes
  if (sizes.length > 1 && largest < asked)
    patient.note(area, 'page size', 'note', words.paging.aPageHoldsLess(largest, asked))
  for (const oddity of findOddities(walked, sizes, unreadable)) patient.note(area, 'rows', 'warning', oddity)
  return walked
}
