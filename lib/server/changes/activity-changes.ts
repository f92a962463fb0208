import type { Change } from './announce-changes'

type Entry = {
  connectionId: string
  action: string
  objectId: string
  details: { readonly [name: string]: unknown }
}

/** Actions after which somebody may read less than before. */
const accessActions = /^(?:session\.(?:ended|started)|user\.|(?:merchant\.(?:changed|removed)|setting\.factor-rule)$)/u

/** What an entry of the activity log says has changed on open pages. */
export function findChanges({ connectionId, action, objectId, details }: Entry): Change[] {
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
      return [{ connectionId, kind: area }]
    case 'setting':
      return action.startsWith('setting.inbox') || action === 'setting.signing-secret'
        ? [{ connectionId, kind: 'inbox' }]
        : []
    default:
      return []
  }
}
