import { type ReactNode, Suspense, use } from 'react'
import type { KeptList } from '@/lib/browser/list-memory'
import { RowList } from '@/lib/browser/row-list'
import type { ListId } from '@/lib/contract/ability'
import { asListPage, type ListRow } from '@/lib/contract/list-page'
import { useDeskFacts } from '../desk-facts'
import { drawRow } from './draw-row'
import type { FirstRows } from './first-rows'
import { rowsInSight } from './follow-window'
import { heightOf, listIndexes, readRowFace, type RowsFace } from './row-painter'
import { writeHtml } from './write-html'

/** So many are there to be scrolled to before the script runs. Of a longer page, which is rare, the rest is for readers without one. */
const mostRows = 128
/** So many are in sight of a screen of 57 rem, unless they stand close (`.dt-lower`). */
const rowsOnLowScreen = 18

/** On a slow line rows show as they come to who scrolls to them. On any other all of them are there sooner, and show at once. */
const showRowsInScroll = `{const{parentNode}=document.currentScript
const show=()=>parentNode.removeAttribute("data-parsing")
parentNode.parentNode.addEventListener("scroll",()=>setTimeout(show,100),{once:true})}`

/** All rows of the page are read: they show. */
const showRows = 'document.currentScript.parentNode.removeAttribute("data-parsing")'

/**
 * Rows that came after the page are put where they belong, unless the page's script has taken the rows over: what stands in
 * for them is gone then. React would do it too, but later, to show parts of a page together.
 */
const putRowsInPlace = (height: string) => `{const template=document.querySelector(".dt-rows>template")
if(template){template.parentNode.style.height="${height}"
template.replaceWith(...document.currentScript.parentNode.querySelectorAll(".dt-row"))}}`

export type TableRowsProps<List extends ListId> = Omit<RowsFace<List>, 'list' | 'inSight' | 'rowHeight'> & {
  kept: KeptList<ListRow<List>>
  next: FirstRows['next']
  rowHeight: number
  /** Which columns are in sight; null where that is not known yet. */
  stage: number | 'cards' | null
}

export const rowGroup = { role: 'rowgroup', className: 'dt-rows' }

type RowsToComeProps<List extends ListId> = {
  face: RowsFace<List>
  next: NonNullable<FirstRows['next']>
  nonce: string | undefined
}

/** A row whose cells are written by ourselves: they are most of what the server writes. */
function drawAt<List extends ListId>(face: RowsFace<List>, index: number) {
  const row = readRowFace(face, index)
  if (!row) return null
  const { children, ...props } = drawRow(row).props
  const later = index < rowsInSight ? 'dt-lower' : 'dt-later'
  return (
    <div
      key={row.key}
      {...props}
      className={index < rowsOnLowScreen ? 'dt-row' : `dt-row ${later}`}
      dangerouslySetInnerHTML={{ __html: writeHtml(children as ReactNode) }}
    />
  )
}

/** The first rows of the second page: they follow the page in the same response, and are put in their place as they come. */
function RowsToCome<List extends ListId>({ face, next, nonce }: RowsToComeProps<List>) {
  const handed = use(next)
  if (!handed || !('page' in handed)) return null
  const { list, table } = face
  const page = asListPage(table.list, JSON.parse(handed.page))
  const before = listIndexes({ start: 0, end: list.size }, list.size, -1).flatMap((index) => list.rowAt(index) ?? [])
  const both = new RowList<ListRow<List>>(
    { idOf: (row) => row.id, read: () => new Promise(() => undefined) },
    { page: { ...page, results: [...before, ...page.results] } },
  )
  const drawn = listIndexes({ start: list.size, end: mostRows }, both.size, -1)
  return (
    <>
      {drawn.map((index) => drawAt({ ...face, list: both }, index))}
      <script nonce={nonce} dangerouslySetInnerHTML={{ __html: putRowsInPlace(heightOf(list.size + drawn.length)) }} />
    </>
  )
}

/**
 * The rows in the server's HTML: the first page, with all columns, and a screenful of the second. The first frame
 * waits for those that may be in sight: the page is laid out once, not with each part that the browser has read of it.
 */
export function RowsInHtml<List extends ListId>({ kept: { list }, next, ...props }: TableRowsProps<List>) {
  const { nonce } = useDeskFacts()
  const face = { ...props, list, inSight: props.columns, rowHeight: null }
  const { size } = list
  return (
    <>
      <link rel="expect" href="#dt-in-sight" blocking="render" />
      <div {...rowGroup} data-parsing="" style={{ height: heightOf(size) }}>
        {listIndexes({ start: 0, end: rowsInSight }, size, -1).map((index) => drawAt(face, index))}
        <script nonce={nonce} dangerouslySetInnerHTML={{ __html: showRowsInScroll }} />
        <span id="dt-in-sight" hidden />
        {listIndexes({ start: rowsInSight, end: mostRows }, size, -1).map((index) => drawAt(face, index))}
        {size > mostRows ? (
          <noscript>
            {listIndexes({ start: mostRows, end: size }, size, -1).map((index) => drawAt(face, index))}
          </noscript>
        ) : null}
        <script nonce={nonce} dangerouslySetInnerHTML={{ __html: showRows }} />
        {next && size < mostRows ? (
          <Suspense fallback={null}>
            <RowsToCome face={face} next={next} nonce={nonce} />
          </Suspense>
        ) : null}
      </div>
    </>
  )
}
