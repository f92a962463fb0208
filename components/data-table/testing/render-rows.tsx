import { useTable } from '@tanstack/react-table'
import { renderToStaticMarkup } from 'react-dom/server'
import type { ListId } from '@/lib/domain/lists/capabilities'
import { endpoints } from '@/lib/api-contract/endpoints'
import { asListPage, type ListRow } from '@/lib/domain/lists/list-pages'
import { MayCancel } from '../../cancellations/row-cancellation'
import { type AppConfig, AppConfigProvider } from '../../layout/app-config'
import { describeColumns } from '../column-layout'
import { type ListDefinition, listFeatures } from '../list-definition'
import { TableRow } from '../table-row'

/** An app config for tests. */
export const facts: AppConfig = {
  connectionId: 'default',
  merchant: null,
  locale: 'en-GB',
  amounts: 'minor',
  schemeZone: 'Europe/Copenhagen',
  states: { cancellable: ['pending'], cancelled: ['cancelled'], final: ['settled'] },
}

type RowsProps<List extends ListId> = { definition: ListDefinition<List>; rows: readonly ListRow<List>[] }

/** Renders rows with all columns, like the grid. */
function Rows<List extends ListId>({ definition, rows }: RowsProps<List>) {
  const columns = describeColumns(definition.columns)
  const table = useTable({ features: listFeatures, columns: definition.columns, data: rows })
  return table
    .getRowModel()
    .rows.map((row, index) => (
      <TableRow
        key={row.id}
        definition={definition}
        row={row}
        index={index}
        columns={columns}
        isSelected={false}
        isOpen={false}
        isTabStop={false}
      />
    ))
}

/** Parses raw entries like the gateway and renders them like the grid: one string per row. */
export function renderRows<List extends ListId>(
  definition: ListDefinition<List>,
  entries: readonly unknown[],
  { mayCancel = true } = {},
): string[] {
  const { listId } = definition
  const { results } = asListPage(listId, endpoints[listId].reply.parse({ results: entries, hasMore: false }))
  const html = renderToStaticMarkup(
    <AppConfigProvider config={facts}>
      <MayCancel value={mayCancel}>
        <Rows definition={definition} rows={results} />
      </MayCancel>
    </AppConfigProvider>,
  )
  return html.split(/(?=<div role="row")/u)
}

const tag = /<[^>]*>/gu

/** The visible text of HTML. */
export function readText(html: string): string {
  return html.replaceAll(tag, ' ')
}

/** Variants of a record with one or two fields missing, null or of another type, including nested ones. */
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
