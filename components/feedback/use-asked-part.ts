'use client'

import { useLazyModule } from '@/lib/client/use-lazy-module'
import * as m from '@/lib/messages/m'
import { showErrorToast } from './toast-store'

/**
 * A part of the page that somebody asks for, such as a dialog; `part` is null until it is loaded. When that fails, a toast says
 * so, and `takeBack` must make `isAsked` false: asking again then loads again.
 */
export function useAskedPart<Part>(
  isAsked: boolean,
  load: () => Promise<Part>,
  takeBack: () => void,
): { part: Part | null } {
  return useLazyModule(isAsked, load, () => {
    takeBack()
    showErrorToast(m.shellControls_notLoaded(), '')
  })
}
