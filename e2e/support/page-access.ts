import type { Permission } from '@/lib/api-contract/permission'

/**
 * The permission needed for each page, by its folder under `app` without route groups. Without it the page shows a refusal
 * instead of its content, to those who may not read anything by sending them to the page of roles; `open` needs no session. The tests fail if a page is missing here (AZ-01).
 */
export const pageAccess: Readonly<Record<string, Permission | 'open'>> = {
  '/': 'account',
  '/account': 'account',
  '/activity': 'account',
  '/agreements': 'read',
  '/agreements/[agreementIdOrHandle]': 'read',
  '/agreements/new': 'manage',
  '/attention': 'read',
  '/customers': 'read',
  '/customers/[customerIdOrHandle]': 'read',
  '/customers/[customerIdOrHandle]/edit': 'manage',
  '/customers/[customerIdOrHandle]/kept-data': 'administer',
  '/customers/[customerIdOrHandle]/statement': 'read',
  '/customers/import': 'manage',
  '/customers/new': 'manage',
  '/exports': 'export',
  '/forgot-password': 'open',
  '/mandates': 'read',
  '/mandates/[mandateIdOrHandle]': 'read',
  '/merchant': 'read',
  '/merchant/doctor': 'administer',
  '/merchants': 'account',
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
  '/signed-in': 'account',
  '/team': 'administer',
  '/team/people': 'administer',
  '/team/roles': 'account',
  '/webhooks': 'read',
}
