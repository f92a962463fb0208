import { privateKinds } from '@/lib/domain/activity/activity'
import type { Change } from './announce-changes'

type Entry = {
  connectionId: string
  action: string
  objectKind: string
  objectId: string
  details: { readonly [name: string]: unknown }
}

/** Actions after which somebody may read less than before. */
const accessActions = /^(?:session\.(?:ended|started)|user\.|(?:merchant\.(?:changed|removed)|setting\.factor-rule)$)/u

/** What an entry of the activity log says has changed on open pages of records. */
function findRecordChanges({ connectionId, action, objectId, details }: Entry): Change[] {
  // An account may have open pages at other merchants, too.
  if (accessActions.test(action))
    return [{ connectionId: action.startsWith('user.') ? null : connectionId, kind: 'access' }]
  const [area] = action.split('.')
  switch (area) {
    case 'cancellation': {
      const { bulkId } = details
      return [
        { connectionId, kind: 'cancellation', id: objectId },
        ...(action === 'cancellation.cancelled' ? [{ connectionId, kind: 'closing' } as const] : []),
        ...(typeof bulkId === 'string' ? [{ connectionId, kind: 'bulk', id: bulkId } as const] : []),
      ]
    }
    case 'bulk':
    case 'import':
    case 'note':
      return [{ connectionId, kind: area, id: objectId }]
    case 'customer':
    case 'mandate':
    case 'webhook':
      return [{ connectionId, kind: area }]
    case 'setting':
      return action.startsWith('setting.inbox') || action.startsWith('setting.signing-secret')
        ? [{ connectionId, kind: 'inbox' }]
        : []
    default:
      return []
  }
}

/** That the activity log has a new entry, for those who may read it (isReadable). */
function findLogChanges({ connectionId, objectKind, objectId }: Entry, userId: string | undefined): Change[] {
  if (!privateKinds.includes(objectKind)) return [{ connectionId, kind: 'activity', id: objectId }]
  const own: Change[] = userId === undefined ? [] : [{ connectionId, kind: 'activity', userId }]
  return [{ connectionId, kind: 'private-activity' }, ...own]
}

/** What open pages show differently after an entry of the activity log. `userId`: who did it. */
export function findChanges(entry: Entry, userId?: string): Change[] {
  return [...findRecordChanges(entry), ...findLogChanges(entry, userId)]
}
