'use client'

import * as m from '@/lib/messages/m'
import { pageOfList } from '@/lib/domain/lists/list-preferences'
import { Modal } from '../ui/dialog'
import { DisplayPanel } from './display-panel'
import { ExportPanel } from './export-panel'
import type { PanelProps } from './tool-props'
import { ViewsPanel } from './views-panel'

const panels = { views: ViewsPanel, display: DisplayPanel, export: ExportPanel } as const
const titles = { views: m.views_viewsOf, display: m.displaying_displayOf, export: m.exporting_exportOf } as const

type ToolDialogProps = PanelProps & { tool: keyof typeof panels }

/** The dialogs of all list tools, in one chunk. */
export function ToolDialog({ tool, ...props }: ToolDialogProps) {
  const Panel = panels[tool]
  return (
    <Modal title={titles[tool]({ list: pageOfList(props.listId) })} onClose={props.onClose}>
      <Panel {...props} />
    </Modal>
  )
}
