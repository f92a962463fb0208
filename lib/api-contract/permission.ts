/**
 * What a person may do at a merchant: `account` their own sign-in and settings, `read` everything the service answers,
 * `export` lists as files, `audit` see everybody's entries of the activity log, `cancel` payments one by one, `bulk` many
 * at once, `manage` customers, agreements, webhooks and imports, `administer` the desk itself (team, rules, connections).
 */
export const permissions = ['account', 'read', 'export', 'audit', 'cancel', 'bulk', 'manage', 'administer'] as const
export type Permission = (typeof permissions)[number]

/** Strongest first. */
export const roles = ['admin', 'support', 'support-without-bulk', 'viewer', 'auditor'] as const
export type Role = (typeof roles)[number]

const granted: Record<Role, readonly Permission[]> = {
  admin: permissions,
  support: ['account', 'read', 'export', 'audit', 'cancel', 'bulk'],
  'support-without-bulk': ['account', 'read', 'export', 'audit', 'cancel'],
  viewer: ['account', 'read', 'export'],
  auditor: ['account', 'export', 'audit'],
}

/** The roles that may do nothing which this one may not, strongest first. */
export function getRolesWithin(role: Role): Role[] {
  return roles.filter((one) => granted[one].every((permission) => granted[role].includes(permission)))
}

/** An unknown role has no permissions. */
export function hasPermission(role: string, permission: Permission): boolean {
  return Object.hasOwn(granted, role) && granted[role as Role].includes(permission)
}

/** What it takes to cancel a list of payments. A list of one is how a single payment gets a second person's approval. */
export function permissionForList(count: number): Permission {
  return count > 1 ? 'bulk' : 'cancel'
}
