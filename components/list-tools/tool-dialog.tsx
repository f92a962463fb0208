'use client'

import { displayOf } from '@/lib/words/displaying'
import { exportOf } from '@/lib/words/exporting'
import { viewsOf } from '@/lib/words/views'
import { Modal } from '../ui/dialog'
import { DisplayPanel } from './display-panel'
import { ExportPanel } from './export-panel'
import type { PanelProps } from './tool-props'
import { ViewsPanel } from './views-panel'

const panels = { views: ViewsPanel, display: DisplayPanel, export: ExportPanel } as const
const titles = { views: viewsOf, display: displayOf, export: exportOf } as const

type ToolDialogProps = PanelProps & { tool: keyof typeof panels }

/** The dialogs of all list tools, in one chunk. */
export function ToolDialog({ tool, ...props }: ToolDialogProps) {
  const Panel = panels[tool]
  return (
    <Modal title={titles[tool](props.name)} onClose={props.onClose}>
      <Panel {...props} />
    </Modal>
  )
}
