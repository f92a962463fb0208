import { renderToStaticMarkup } from 'react-dom/server'
import { DeskFactsProvider } from '@/components/desk-facts'
import type { ListId } from '@/lib/contract/ability'
import { endpoints } from '@/lib/contract/endpoints'
import { asListPage, type ListRow } from '@/lib/contract/list-page'
import type { TableDefinition } from '../define-table'
import { TableRow } from '../table-row'

/** The facts of a desk in tests. */
export const facts = {
  connectionId: 'default',
  merchant: null,
  locale: 'en-GB',
  amounts: 'minor' as const,
  schemeZone: 'Europe/Copenhagen',
  states: { cancellable: ['pending'], cancelled: ['cancelled'], final: ['settled'] },
}

/** Reads raw entries as the gateway does and draws them as the table does: HTML, one string per row. */
export function renderRows<List extends ListId>(table: TableDefinition<List>, entries: readonly unknown[]): string[] {
  const page = asListPage(table.list, endpoints[table.list].reply.parse({ results: entries, hasMore: false }))
  return page.results.map((row: ListRow<List>, index) =>
    renderToStaticMarkup(
      <DeskFactsProvider facts={facts}>
        <TableRow<ListRow<List>>
          row={row}
          index={index}
          id={row.id}
          label={table.rowLabel(row)}
          status={table.status?.(row)}
          columns={table.columns}
          facts={{ ...facts, viewerZone: 'UTC', cancelled: facts.states.cancelled, address: (address) => address }}
          isSelected={false}
          isOpen={false}
          isTabStop={false}
        />
      </DeskFactsProvider>,
    ),
  )
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
