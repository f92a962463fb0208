'use client'

import { useState } from 'react'
import type { ListId } from '@/lib/domain/lists/capabilities'
import * as words from '@/lib/words/lists'
import { notLoaded } from '@/lib/words/shell-controls'
import type { ShownColumn } from '../data-table/column-layout'
import type { TableFilter } from '../data-table/list-definition'
import type { ListPlan, TableView } from '../data-table/table-view'
import type { ShownView } from '../data-table/use-table-view'
import type { ColumnChoice } from '../data-table/use-columns'
import { Button } from '../ui/button'
import { useLazyModule } from '@/lib/client/use-lazy-module'

/** The list as its reader has it before them. */
export type ListToolsProps = {
  list: ListId
  name: string
  filters: readonly TableFilter[]
  columns: readonly ShownColumn[]
  choice: ColumnChoice
  view: TableView
  plan: ListPlan
  shown: ShownView
}

const loadDialog = async () => (await import('./tool-dialog')).ToolDialog

/** What can be done with a list: keep it as a view, choose how it is shown, take it away as a file. */
export function ListTools(props: ListToolsProps) {
  const [tool, setTool] = useState<'views' | 'display' | 'export' | null>(null)
  const { part: Dialog, failed } = useLazyModule(tool !== null, loadDialog)
  return (
    <>
      <Button tone="quiet" size="small" aria-haspopup="dialog" onClick={() => setTool('views')}>
        {words.views}
      </Button>
      <Button tone="quiet" size="small" aria-haspopup="dialog" onClick={() => setTool('display')}>
        {words.display}
      </Button>
      <Button tone="quiet" size="small" aria-haspopup="dialog" onClick={() => setTool('export')}>
        {words.exportWord}
      </Button>
      {failed ? <p role="alert">{notLoaded}</p> : null}
      {tool && Dialog ? <Dialog {...props} tool={tool} onClose={() => setTool(null)} /> : null}
    </>
  )
}
