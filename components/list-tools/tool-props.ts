import type { ListId } from '@/lib/domain/lists/capabilities'
import type { ShownColumn } from '../data-table/column-layout'
import type { TableFilter } from '@/lib/domain/lists/filter-values'
import type { TableView } from '../data-table/table-view'
import type { ListPlan } from '@/lib/domain/lists/list-plan'
import type { ShownView } from '../data-table/use-table-view'
import type { ColumnChoice } from '../data-table/use-columns'

/** The list as currently shown. */
export type ListToolsProps = {
  listId: ListId
  name: string
  filters: readonly TableFilter[]
  columns: readonly ShownColumn[]
  columnChoice: ColumnChoice
  view: TableView
  plan: ListPlan
  /** The plan of a view with other filter values. */
  planFor: (values: TableView['values']) => ListPlan
  shown: ShownView
}

export type PanelProps = ListToolsProps & { onClose: () => void }
