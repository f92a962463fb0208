import { deskRoute, methods } from '@/lib/server/http/route-handler'
import * as z from 'zod'
import { notificationKinds } from '@/lib/domain/notifications'
import { chooseNotification } from '@/lib/server/mail/choices'
import { requireStore } from '@/lib/server/store/store'

const body = z.strictObject({
  connectionId: z.string().min(1).max(100),
  kind: z.enum(notificationKinds),
  isWanted: z.boolean(),
  hour: z.int().min(0).max(23).optional(),
})

/**
 * Sets or clears one notification of the caller's account, at any merchant they work for, which the body names. Returns
 * MerchantNotifications.
 */
const choose = deskRoute({ permission: 'account', body }, async ({ session, body: { hour, ...choice } }) =>
  Response.json(
    await chooseNotification(await requireStore(), session, { ...choice, ...(hour !== undefined && { hour }) }),
  ),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ PUT: choose })
