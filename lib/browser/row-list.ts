import type { Page } from '@/lib/contract/page'
import type { CallError } from './call-error'
import { LocalView } from './local-view'
import { PageWalk, type WalkState } from './page-walk'
import { RowStore } from './row-store'
import { Selection } from './selection'
import { Signal } from './signal'

/** So many rows are kept ready below the last one on the screen. */
const readAhead = 200
/** So many pages are read without a sign of progress (a matching row, a scroll) before a person must ask for more. */
const mostPagesUnasked = 10

export type ListPorts<Row> = {
  idOf: (row: Row) => string | null
  /** Reads one page; `after` is undefined for the first. Throws CallError. */
  read: (after: string | undefined, signal: AbortSignal) => Promise<Page<Row>>
}

/** What is done with loaded rows because the service was not proven to do it. `name` tells rules apart. */
export type ListRules<Row> = {
  name: string
  matches?: (row: Row) => boolean
  compare?: (left: Row, right: Row) => number
}

/** How the first page came: read by the server, refused there, or not at all yet. */
export type FirstPage<Row> = { page: Page<Row> } | { error: CallError } | null

/**
 * One list as the table sees it: rows by index, the walk that loads more of them, and what was ticked.
 * Whoever shows it says how far it can be seen (`demand`); everything else follows from that.
 */
export class RowList<Row> {
  readonly rows: RowStore<Row>
  /** Notified when rows or the state of the walk change. */
  readonly changes = new Signal()
  readonly selection = new Selection({
    keyAt: (index) => this.keyAt(index),
    indexOf: (key) => this.indexOf(key),
    isLoaded: (key) => this.rows.get(key) !== undefined,
  })
  /** How many rows came again under an id that was here already. */
  repeated = 0
  /** Entries of the service's pages that could not be read as rows at all. */
  unreadable = 0
  readonly #read: ListPorts<Row>['read']
  readonly #walk: PageWalk<Row>
  #rules: ListRules<Row> | null
  #view: LocalView<Row> | null
  #slice: ReturnType<typeof setTimeout> | undefined
  #seenUpTo = 0
  #pagesUnasked = 0
  #fresh: Row[] = []
  /** Where each page that was read begins, and the offset that it came for. */
  readonly #pages: { start: number; after: string | undefined }[] = []
  #isLive = false

  constructor(ports: ListPorts<Row>, first: FirstPage<Row> = null, rules: ListRules<Row> | null = null) {
    this.#read = ports.read
    this.rows = new RowStore(ports.idOf)
    this.#rules = rules
    this.#view = rules && new LocalView(this.rows, rules)
    this.#walk = new PageWalk<Row>(
      {
        read: (after, signal) => ports.read(after, signal),
        take: (page, after) => this.#take(page, after),
        wantsMore: () => this.#wantsMore(),
        changed: () => this.changes.notify(),
      },
      first && 'page' in first ? first.page : undefined,
    )
    if (first && 'error' in first) this.#walk.fail(first.error)
  }

  get walk(): WalkState {
    return this.#walk.state
  }

  /** How many rows there are to show: all that are loaded, or those that the rules let through. */
  get size(): number {
    return this.#view ? this.#view.size : this.rows.size
  }

  /** How many rows on top of the list a refresh found that are not shown yet. */
  get fresh(): number {
    return this.#fresh.length
  }

  rowAt(index: number): Row | undefined {
    return this.rows.at(this.#positionAt(index))
  }

  keyAt(index: number): string {
    return this.rows.keyAt(this.#positionAt(index))
  }

  /** Where the row of that key stands now; -1 when it is not shown. */
  indexOf(key: string): number {
    const position = this.rows.positionOf(key)
    if (position === undefined) return -1
    return this.#view ? this.#view.indexOf(position) : position - this.rows.start
  }

  /** Filters and sorts what is loaded, in place of a service that was not proven to; null: as it came. */
  setRules(rules: ListRules<Row> | null): void {
    if (rules?.name === this.#rules?.name) return
    this.#rules = rules
    this.#view = rules && new LocalView(this.rows, rules)
    this.#pagesUnasked = 0
    this.#look()
    this.changes.notify()
  }

  /** Says that rows up to `end` (an index) can be seen; reads on where fewer than 200 lie beyond. */
  demand(end: number): void {
    if (end > this.#seenUpTo) this.#pagesUnasked = 0
    this.#seenUpTo = end
    if (this.#isLive) this.#walk.run()
  }

  /** Takes the walk up, or up again. Answers how to pause it. */
  open(): () => void {
    this.#isLive = true
    this.#walk.run()
    return () => {
      this.#isLive = false
      this.#walk.pause()
    }
  }

  /** "Load more" and "Retry". */
  loadMore(): void {
    this.#pagesUnasked = 0
    this.#walk.step()
  }

  /**
   * Reads the first page again, and no other: rows that are here are replaced in their place, those that
   * are not wait in `fresh` where `newestFirst` says that the top is where new ones appear.
   */
  async refresh(newestFirst: boolean, signal: AbortSignal): Promise<void> {
    const page = await this.#read(undefined, signal)
    const unknown = page.results.filter((row) => !this.rows.patch(row))
    this.#fresh = newestFirst && unknown.length < page.results.length ? unknown : []
    this.changes.notify()
  }

  /** Puts the rows that a refresh found on top. */
  showFresh(): void {
    this.rows.prepend(this.#fresh)
    this.#fresh = []
    this.#look()
    this.changes.notify()
  }

  /** Replaces one row by what was read of it elsewhere. */
  patch(row: Row): void {
    if (this.rows.patch(row)) this.changes.notify()
  }

  /** The offset of the page on which a loaded row came; undefined is the first page. */
  offsetOf(key: string): string | undefined {
    const position = this.rows.positionOf(key) ?? 0
    return this.#pages.findLast(({ start }) => start <= position)?.after
  }

  /** Reads the page of a loaded row again and takes its rows in. Answers whether the row was still on it. Throws CallError. */
  async readAgain(key: string, signal: AbortSignal): Promise<boolean> {
    const before = this.rows.get(key)
    const page = await this.#read(this.offsetOf(key), signal)
    for (const row of page.results) this.rows.patch(row)
    this.changes.notify()
    return this.rows.get(key) !== before
  }

  #positionAt(index: number): number {
    return this.#view ? (this.#view.positionAt(index) ?? Number.NaN) : index + this.rows.start
  }

  #take(page: Page<Row>, after: string | undefined): number {
    this.#pages.push({ start: this.rows.end, after })
    const { added, repeated } = this.rows.append(page.results)
    this.repeated += repeated
    this.unreadable += page.unreadable
    this.selection.claim()
    const before = this.size
    this.#look()
    this.#pagesUnasked = this.size > before || !this.#view ? 0 : this.#pagesUnasked + 1
    return added
  }

  #wantsMore(): boolean {
    if (!this.#isLive || this.#slice !== undefined) return false
    return this.size < this.#seenUpTo + readAhead && this.#pagesUnasked < mostPagesUnasked
  }

  /** Lets the view take in what is loaded; what is more than a slice follows in later tasks. */
  #look(): void {
    clearTimeout(this.#slice)
    this.#slice = undefined
    if (!this.#view || this.#view.advance()) return
    this.#slice = setTimeout(() => {
      this.#look()
      this.changes.notify()
      if (this.#slice === undefined && this.#isLive) this.#walk.run()
    })
  }
}
