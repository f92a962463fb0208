import type { Permission } from '@/lib/api-contract/permission'

/**
 * Who may open each page, by its folder under `app` without groups. To whoever lacks the permission the page shows a
 * refusal in place of what it is for; `open` needs no session. Every page stands here, or the tests fail (AZ-01).
 */
export const pageAccess: Readonly<Record<string, Permission | 'open'>> = {
  '/': 'read',
  '/account': 'read',
  '/activity': 'read',
  '/agreements': 'read',
  '/agreements/[agreementIdOrHandle]': 'read',
  '/agreements/new': 'manage',
  '/customers': 'read',
  '/customers/[customerIdOrHandle]': 'read',
  '/customers/[customerIdOrHandle]/edit': 'manage',
  '/customers/import': 'manage',
  '/customers/new': 'manage',
  '/mandates': 'read',
  '/mandates/[mandateIdOrHandle]': 'read',
  '/merchant': 'read',
  '/merchant/doctor': 'administer',
  '/merchants': 'read',
  '/merchants/edit': 'administer',
  '/merchants/new': 'administer',
  '/payments': 'read',
  '/payments/[paymentId]': 'read',
  '/payments/bulk': 'read',
  '/payments/bulk/[bulkId]': 'read',
  '/payments/closing': 'read',
  '/reference': 'read',
  '/set-password': 'open',
  '/sign-in': 'open',
  '/signed-in': 'read',
  '/team': 'administer',
  '/webhooks': 'read',
}
