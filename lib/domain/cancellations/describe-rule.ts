import { joinList } from '@/lib/language/join-list'
import * as m from '@/lib/messages/m'
import { formatMoneyLine } from '../amounts/money'
import type { ApprovalRule } from './approval'

function formatLimits(limits: ApprovalRule['limits'], locale: string): string {
  const amounts = limits.map(({ currency, amount }) => formatMoneyLine(amount, currency, 'major', locale))
  return joinList(amounts, 'disjunction')
}

/** When a merchant's cancellations need a second person, a sentence for each condition. */
export function describeRule(rule: ApprovalRule | null, locale: string): string[] {
  if (rule === null) return [m.approval_off()]
  const { everyBulk, limits, supportLimits = [], hours } = rule
  return [
    ...(everyBulk ? [m.approval_onEveryBulk()] : []),
    ...(limits.length > 0 ? [m.approval_onLimits({ limits: formatLimits(limits, locale) })] : []),
    ...(supportLimits.length > 0 ? [m.approval_onSupportLimits({ limits: formatLimits(supportLimits, locale) })] : []),
    m.approval_onHours({ hours }),
  ]
}
