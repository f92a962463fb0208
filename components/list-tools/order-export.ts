import type { ListId } from '@/lib/contract/ability'

/** Columns of tables whose name in an export does not follow from their own. */
const others: Record<ListId, Readonly<Record<string, string>>> = {
  listPayments: { payer: 'customer_name', state: 'status', mode: 'test', mandate: 'mandate_handle' },
  listCustomers: {},
  listMandates: { customer: 'customer_name', number: 'customer_number' },
}

function nameInExport(list: ListId, id: string): string {
  const words = id.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`)
  return others[list][id] ?? words.replace(/_at$/u, '')
}

/**
 * The ids of an export's columns as the list before the reader has them: `shown` those of its columns, in their order;
 * `all` the further ones behind them, in the usual order.
 */
export function orderExport(
  list: ListId,
  columns: readonly string[],
  exported: readonly string[],
): { shown: readonly string[]; all: readonly string[] } {
  const names = columns.map((id) => nameInExport(list, id))
  const shown = names.filter((name) => exported.includes(name))
  return { shown, all: [...shown, ...exported.filter((name) => !shown.includes(name))] }
}
