import * as m from '@/lib/messages/m'
import { showUndoToast } from '../feedback/toast-store'
import type { FormatCount } from '../layout/app-config'
import type { Selection } from './use-selection'

/** Clears a selection; one of several rows can be brought back. */
export function clearSelection(
  { state, count, clear, restore }: Pick<Selection<unknown>, 'state' | 'count' | 'clear' | 'restore'>,
  formatCount: FormatCount,
): void {
  clear()
  if (count > 1) showUndoToast(m.lists_selectionCleared({ count, written: formatCount(count) }), () => restore(state))
}
