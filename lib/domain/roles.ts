import { hasPermission, type Permission, type Role, roles } from '@/lib/api-contract/permission'
import { joinList } from '@/lib/language/join-list'
import type { Message } from '@/lib/language/runtime'
import * as m from '@/lib/messages/m'

/** A role's name, and in a few words what it may do. */
export const roleNames: Record<Role, { name: Message; about: Message }> = {
  admin: { name: m.roles_admin, about: m.roles_adminMay },
  support: { name: m.roles_support, about: m.roles_supportMay },
  'support-without-bulk': { name: m.roles_supportWithoutBulk, about: m.roles_supportWithoutBulkMay },
  viewer: { name: m.roles_viewer, about: m.roles_viewerMay },
  auditor: { name: m.roles_auditor, about: m.roles_auditorMay },
}

/** What a permission allows, after "may". */
export const permissionNames: Record<Permission, Message> = {
  account: m.roles_account,
  read: m.roles_read,
  export: m.roles_export,
  audit: m.roles_audit,
  cancel: m.roles_cancel,
  bulk: m.roles_bulk,
  manage: m.roles_manage,
  administer: m.roles_administer,
}

/** The roles that have a permission, as a sentence lists them. */
export function listRolesWith(permission: Permission): string {
  const allowed = roles.filter((role) => hasPermission(role, permission))
  return allowed.length === roles.length ? m.roles_everyRole() : joinList(allowed.map((role) => roleNames[role].name()))
}
