'use client'

import type { Payment } from '@/lib/api-contract/payments'
import {
  type CutOffRule,
  estimateCutOff,
  formatShortCutOff,
  parseCutOffRules,
} from '@/lib/domain/cancellations/cut-off'
import { emptyValue } from '../data-table/cells'
import { useAppConfig } from '../layout/app-config'

/** The rules are the same for all cells of a page. */
const parsedRules = new Map<string, readonly CutOffRule[]>()

function readRules(text: string): readonly CutOffRule[] {
  const known = parsedRules.get(text) ?? parseCutOffRules(text) ?? []
  parsedRules.set(text, known)
  return known
}

/** Until when a payment can be cancelled, by our estimate; a dash for those that can't be. */
export function CutOffCell({ payment: { status, scheduleDate, mandate } }: { payment: Payment }) {
  const { cutOffs, schemeZone, states, locale } = useAppConfig()
  if (cutOffs === undefined || !states.cancellable.includes(status?.trim().toLowerCase() ?? '')) return emptyValue
  const input = { scheduleDate, scheme: mandate?.scheme ?? null }
  const cutOff = estimateCutOff(input, { rules: readRules(cutOffs), zone: schemeZone })
  return cutOff ? formatShortCutOff(cutOff, schemeZone, locale) : emptyValue
}
