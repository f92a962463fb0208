import type { Message } from '@/lib/language/runtime'
import * as m from '@/lib/messages/m'

/** Where the store keeps something about people. Zod-free. */
export const keptKinds = [
  'note',
  'cancellation',
  'bulk',
  'import',
  'delivery',
  'view',
  'export',
  'schedule',
  'activity',
] as const
export type KeptKind = (typeof keptKinds)[number]

export const keptKindNames: Record<KeptKind, Message> = {
  note: m.people_kindsNote,
  cancellation: m.people_kindsCancellation,
  bulk: m.people_kindsBulk,
  import: m.people_kindsImport,
  delivery: m.people_kindsDelivery,
  view: m.people_kindsView,
  export: m.people_kindsExport,
  schedule: m.people_kindsSchedule,
  activity: m.people_kindsActivity,
}
