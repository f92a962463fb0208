'use client'

import { useSearchParams } from 'next/navigation'
import { useState } from 'react'
import { useAskedPart } from '../feedback/use-asked-part'
import { Button } from '../ui/button'
import type { ListToolsProps } from './tool-props'
import * as m from '@/lib/messages/m'

const loadDialog = async () => (await import('./tool-dialog')).ToolDialog

/** Saved views, display settings and export of a list. */
export function ListTools(props: ListToolsProps) {
  const [chosen, setTool] = useState<'views' | 'display' | 'export' | null>(null)
  // Find opens an export by its address.
  const isAsked = useSearchParams().get('tool') === 'export'
  const tool = chosen ?? (isAsked ? 'export' : null)
  const { part: Dialog } = useAskedPart(tool !== null, loadDialog, close)

  function close(): void {
    setTool(null)
    if (!isAsked) return
    const address = new URL(location.href)
    address.searchParams.delete('tool')
    history.replaceState(null, '', address)
  }

  return (
    <>
      <Button tone="quiet" size="small" aria-haspopup="dialog" onClick={() => setTool('views')}>
        {m.lists_views()}
      </Button>
      <Button tone="quiet" size="small" aria-haspopup="dialog" onClick={() => setTool('display')}>
        {m.lists_display()}
      </Button>
      <Button tone="quiet" size="small" aria-haspopup="dialog" onClick={() => setTool('export')}>
        {m.lists_exportWord()}
      </Button>
      {tool && Dialog ? <Dialog {...props} tool={tool} onClose={close} /> : null}
    </>
  )
}
