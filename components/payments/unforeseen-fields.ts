import { isLeftOutField } from '@/lib/contract/left-out'
import type { Payment } from '@/lib/contract/payments'

const documented: Record<string, readonly string[]> = {
  '': [
    'id',
    'paymentDate',
    'scheduleDate',
    'handle',
    'description',
    'reference',
    'amount',
    'currency',
    'test',
    'status',
    'settlementDate',
    'createdAt',
    'modifiedAt',
    'customer',
    'mandate',
  ],
  customer: ['id', 'name'],
  mandate: ['id', 'handle', 'scheme'],
}

function write(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '—')
}

/**
 * What the service said beyond the documented fields (docs/upstream-api.md, section 2): dotted names and their values
 * as text.
 */
export function listUnforeseenFields(payment: Payment): { name: string; value: string }[] {
  const parts = [
    ['', payment],
    ['customer', payment.customer],
    ['mandate', payment.mandate],
  ] as const
  return parts.flatMap(([prefix, part]) =>
    Object.entries(part ?? {})
      .filter(([name]) => !documented[prefix]?.includes(name) && !isLeftOutField(name))
      .map(([name, value]) => ({ name: prefix ? `${prefix}.${name}` : name, value: write(value) })),
  )
}
