import { mayRole } from '@/lib/contract/permission'
import type { Session } from '../session'
import { requireStore } from '../store/require-store'
import { findInbox } from './find-inbox'

/** The address of an inbox for those who may not manage webhooks: its end is what lets anybody deliver to it. */
export function hideSecret(address: string): string {
  return address.replace(/[^/]+$/u, '…')
}

function replaceIn(value: unknown, address: string, hidden: string): unknown {
  if (typeof value === 'string') return value.replaceAll(address, hidden)
  if (Array.isArray(value)) return value.map((one) => replaceIn(one, address, hidden))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, replaceIn(one, address, hidden)]))
}

/** What the service said of the merchant's webhooks, without the secret of the desk's own inbox for those who only read. */
export async function hideInbox({ role, scope }: Pick<Session, 'role' | 'scope'>, reply: unknown): Promise<unknown> {
  if (mayRole(role, 'manage')) return reply
  const inbox = await findInbox(await requireStore(), scope.connectionId)
  return inbox ? replaceIn(reply, inbox.address, hideSecret(inbox.address)) : reply
}
