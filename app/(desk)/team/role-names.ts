import type { Role } from '@/lib/contract/permission'

/** A role as it is shown, and what it may do. */
export const roleNames: Record<Role, { name: string; about: string }> = {
  admin: { name: 'Admin', about: 'everything, and the team' },
  support: { name: 'Support', about: 'reads, and cancels payments' },
  viewer: { name: 'Viewer', about: 'reads' },
}
