'use client'

import { useState } from 'react'
import type { ListId } from '@/lib/contract/ability'
import type { Column, TableFilter } from '../data-table/define-table'
import type { ListPlan } from '../data-table/plan-query'
import type { TableView } from '../data-table/table-view'
import type { ColumnChoice } from '../data-table/use-columns'
import { Button } from '../ui/button'
import { useLoaded } from '../use-loaded'

export type ListedColumn = Pick<Column<never>, 'id' | 'header' | 'width' | 'from' | 'sort'>

/** The list as its reader has it before them. */
export type ListToolsProps = {
  list: ListId
  name: string
  filters: readonly TableFilter[]
  columns: readonly ListedColumn[]
  choice: ColumnChoice & { columns: readonly ListedColumn[] }
  view: TableView
  plan: ListPlan
}

const loadDialog = async () => (await import('./tool-dialog')).ToolDialog

/** What can be done with a list: keep it as a view, choose how it is shown, take it away as a file. */
export function ListTools(props: ListToolsProps) {
  const [tool, setTool] = useState<'views' | 'display' | 'export' | null>(null)
  const { part: Dialog, failed } = useLoaded(tool !== null, loadDialog)
  return (
    <>
      <Button tone="quiet" size="small" aria-haspopup="dialog" onClick={() => setTool('views')}>
        Views
      </Button>
      <Button tone="quiet" size="small" aria-haspopup="dialog" onClick={() => setTool('display')}>
        Display
      </Button>
      <Button tone="quiet" size="small" aria-haspopup="dialog" onClick={() => setTool('export')}>
        Export
      </Button>
      {failed ? <p role="alert">It could not be loaded. Load the page anew.</p> : null}
      {tool && Dialog ? <Dialog {...props} tool={tool} onClose={() => setTool(null)} /> : null}
    </>
  )
}
