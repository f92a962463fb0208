/**
 * What a user may do: `read` everything the service answers, `cancel` payments, `manage` customers, agreements,
 * webhooks and merchants, `administer` the desk itself (team, settings, connections).
 */
export type Permission = 'read' | 'cancel' | 'manage' | 'administer'

/** Strongest first. */
export const roles = ['admin', 'support', 'viewer'] as const
export type Role = (typeof roles)[number]

const granted: Record<Role, readonly Permission[]> = {
  admin: ['read', 'cancel', 'manage', 'administer'],
  support: ['read', 'cancel'],
  viewer: ['read'],
}

/** The roles that may do nothing which this one may not, strongest first. */
export function getRolesWithin(role: Role): Role[] {
  return roles.filter((one) => granted[one].every((permission) => granted[role].includes(permission)))
}

/** An unknown role has no permissions. */
export function hasPermission(role: string, permission: Permission): boolean {
  return Object.hasOwn(granted, role) && granted[role as Role].includes(permission)
}
