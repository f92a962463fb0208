'use client'

import { NoticesDialog } from '../notices/notices-dialog'
import { SearchDialog } from './search-dialog'
import type { ShellTool } from './search-button'
import { ShortcutsDialog } from './shortcuts-dialog'

type ShellDialogProps = {
  tool: ShellTool
  mayManage: boolean
  onOpen: (tool: ShellTool) => void
  onClose: () => void
}

/** What opens over any page, fetched together when the first is wanted. */
export function ShellDialog({ tool, mayManage, onOpen, onClose }: ShellDialogProps) {
  if (tool === 'keys') return <ShortcutsDialog onClose={onClose} />
  if (tool === 'notices') return <NoticesDialog onClose={onClose} />
  return <SearchDialog mayManage={mayManage} onOpen={onOpen} onClose={onClose} />
}
