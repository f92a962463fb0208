'use client'

import { useState } from 'react'
import { Button } from '../ui/button'
import { useLazyModule } from '@/lib/client/use-lazy-module'
import type { ListToolsProps } from './tool-props'
import * as m from '@/lib/messages/m'

const loadDialog = async () => (await import('./tool-dialog')).ToolDialog

/** Saved views, display settings and export of a list. */
export function ListTools(props: ListToolsProps) {
  const [tool, setTool] = useState<'views' | 'display' | 'export' | null>(null)
  const { part: Dialog, failed } = useLazyModule(tool !== null, loadDialog)
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
      {failed ? <p role="alert">{m.shellControls_notLoaded()}</p> : null}
      {tool && Dialog ? <Dialog {...props} tool={tool} onClose={() => setTool(null)} /> : null}
    </>
  )
}
