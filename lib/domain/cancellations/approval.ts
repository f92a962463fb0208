import * as z from 'zod'
import { currencyExponents } from '../amounts/money'
import { MAX_BULK_PAYMENTS } from '@/lib/api-contract/limits'
import { cancellationInput } from '@/lib/api-contract/payments'
import * as m from '@/lib/messages/m'

/*
 * The four-eyes rule of a merchant: what a second person approves before it is sent (0133). Requests of
 * `/api/desk/approval-rule` and `/api/desk/bulk/{bulkId}/approval`.
 */

const limit = z.strictObject({
  currency: z
    .string()
    .trim()
    .toUpperCase()
    .refine((code) => currencyExponents.has(code), { error: m.approval_isNoCurrency }),
  /** In whole currency, a plain decimal as parseLocalAmount reads it. */
  amount: z.string().regex(/^(0|[1-9]\d{0,11})(\.\d{1,4})?$/u, { error: m.approval_isNoAmount }),
})

const limits = z
  .array(limit)
  .max(20)
  .refine((all) => new Set(all.map(({ currency }) => currency)).size === all.length, {
    error: m.approval_currencyTwice,
  })

/**
 * When a second person approves: every bulk cancellation, or what sums up to more than the limit of its currency, a
 * single payment too. With limits, an amount that can't be compared with one always needs a second person.
 */
export const approvalRule = z.strictObject({
  everyBulk: z.boolean(),
  limits,
  /** Lower limits of everybody but admins. Rules stored before they existed have none. */
  supportLimits: limits.optional(),
  /** After how many hours a request that nobody has decided on ends. */
  hours: z.int().min(1).max(168),
})
export type ApprovalRule = z.output<typeof approvalRule>

/** Body of PUT /api/desk/approval-rule: the rule as it was shown, and as it shall be. Null switches four eyes off. */
export const approvalRuleChange = z.strictObject({ before: approvalRule.nullable(), rule: approvalRule.nullable() })
export type ApprovalRuleChange = z.output<typeof approvalRuleChange>

/** Body of POST /api/desk/bulk/{bulkId}/approval. Who approves says which list they saw. */
export const approvalDecision = z.discriminatedUnion('decision', [
  z.strictObject({
    decision: z.literal('approve'),
    count: z.int().min(1).max(MAX_BULK_PAYMENTS),
    digest: z.string().regex(/^[0-9a-f]{64}$/u, { error: m.requestRules_mustBeASha256 }),
  }),
  z.strictObject({ decision: z.literal('decline'), note: cancellationInput.shape.text }),
  z.strictObject({ decision: z.literal('withdraw') }),
])
export type ApprovalDecision = z.output<typeof approvalDecision>

/** Reply of GET /api/desk/bulk/approvals. */
export type AwaitedApprovals = { count: number }
