import { renderToStaticMarkup } from 'react-dom/server'
import type { ListId } from '@/lib/contract/ability'
import { endpoints } from '@/lib/contract/endpoints'
import { asListPage, type ListRow } from '@/lib/contract/list-page'
import type { TableDefinition } from '../define-table'
import { drawRow, type RowFace } from '../draw-row'
import type { Painted } from '../paint-element'

/** The facts of a desk in tests. */
export const facts = {
  connectionId: 'default',
  merchant: null,
  locale: 'en-GB',
  amounts: 'minor' as const,
  schemeZone: 'Europe/Copenhagen',
  states: { cancellable: ['pending'], cancelled: ['cancelled'], final: ['settled'] },
}

/** What cells are drawn from in tests. */
export const cellFacts = {
  ...facts,
  ...facts.states,
  viewerZone: 'UTC',
  mayCancel: true,
  findCancellation: () => null,
  address: (address: string) => address,
}

/** Reads raw entries as the gateway does and draws them as the table does, with `marks` of their own. */
export function drawRows<List extends ListId>(
  table: TableDefinition<List>,
  entries: readonly unknown[],
  marks: Partial<RowFace<ListRow<List>>> = {},
): Painted[] {
  const page = asListPage(table.list, endpoints[table.list].reply.parse({ results: entries, hasMore: false }))
  return page.results.map((row: ListRow<List>, index) =>
    drawRow({
      key: row.id ?? String(index),
      row,
      index,
      top: `${index * 44}px`,
      label: table.rowLabel(row),
      status: table.status?.(row),
      columns: table.columns,
      facts: cellFacts,
      isSelected: false,
      isOpen: false,
      isTabStop: false,
      ...marks,
    }),
  )
}

/** The same as HTML, one string per row. */
export function renderRows<List extends ListId>(table: TableDefinition<List>, entries: readonly unknown[]): string[] {
  return drawRows(table, entries).map((row) => renderToStaticMarkup(row))
}

const tag = /<[^>]*>/gu

/** What a reader sees of HTML. */
export function readText(html: string): string {
  return html.replaceAll(tag, ' ')
}

/** Every record with one field, and with two fields, missing, null or of another type; nested ones included. */
export function spoilRecord(record: Record<string, unknown>): Record<string, unknown>[] {
  const spoilers = [undefined, null, {}, [], 'text', 7]
  const names = Object.keys(record)
  const nested = Object.entries(record).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.keys(value).flatMap((inner) =>
          spoilers.map((spoiler) => ({ ...record, [name]: { ...value, [inner]: spoiler } })),
        )
      : [],
  )
  const pairs = names.flatMap((first) =>
    names.flatMap((second) => spoilers.map((spoiler) => ({ ...record, [first]: spoiler, [second]: null }))),
  )
  return [...pairs, ...nested, {}]
}
