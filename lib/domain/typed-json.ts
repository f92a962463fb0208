import { findLoss } from '@/lib/api-contract/json-loss'
import { truncate } from './text/visible-text'
import * as m from '@/lib/messages/m'

const MAX_SHOWN = 40

/**
 * Why JSON that was typed would not be sent as it is: a key stands twice, or a number would be rounded. Follows the field's
 * name. Null also for what is no JSON, which the field's schema refuses.
 */
export function explainLoss(json: string): string | null {
  try {
    JSON.parse(json)
  } catch {
    return null
  }
  const loss = findLoss(json)
  if (!loss) return null
  return 'name' in loss
    ? m.freeForm_holdsTwice({ key: truncate(loss.name, MAX_SHOWN) })
    : m.freeForm_holdsInexactNumber({ number: truncate(loss.number, MAX_SHOWN) })
}
