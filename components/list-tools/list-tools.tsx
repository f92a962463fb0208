'use client'

import { useState } from 'react'
import * as words from '@/lib/words/lists'
import { notLoaded } from '@/lib/words/shell-controls'
import { Button } from '../ui/button'
import { useLazyModule } from '@/lib/client/use-lazy-module'
import type { ListToolsProps } from './tool-props'

const loadDialog = async () => (await import('./tool-dialog')).ToolDialog

/** Saved views, display settings and export of a list. */
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
