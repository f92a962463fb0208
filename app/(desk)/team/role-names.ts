import type { Role } from '@/lib/contract/permission'
import * as words from '@/lib/words/team'

/** A role as it is shown, and what it may do. */
export const roleNames: Record<Role, { name: string; about: string }> = {
  admin: { name: words.admin, about: words.everythingAndTheTeam },
  support: { name: words.support, about: words.readsAndCancelsPayments },
  viewer: { name: words.viewer, about: 'reads' },
}
