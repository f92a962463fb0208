/** What came of an action. `unknown`: it may have been done or not. */
export const activityOutcomes = ['done', 'refused', 'failed', 'unknown'] as const
export type ActivityOutcome = (typeof activityOutcomes)[number]

/** What a row of the activity log can be about. */
export const activityKinds = [
  'payment',
  'customer',
  'mandate',
  'agreement',
  'merchant',
  'webhook',
  'import',
  'bulk',
  'export',
  'session',
  'user',
  'setting',
  'retention',
] as const

/** What only those concerned and those who answer for the desk may read: who signed in, from where, and settings. */
export const privateKinds: readonly string[] = ['session', 'user', 'setting']

/** One row of the activity log as it is shown. */
export type ActivityView = {
  /** The sequence as text, which is what a list knows its rows by. */
  id: string
  /** ISO 8601, UTC. */
  at: string
  actor: string
  action: string
  objectKind: string
  objectId: string
  /** What people call it, as far as the desk knows. */
  objectName: string | null
  /** Null for rows of before outcomes were written down. */
  outcome: ActivityOutcome | null
  details: Readonly<Record<string, unknown>>
  hash: string
}

/** Filters of the activity log, as they stand in the address of its page and of its routes. */
export const activityFilters = ['person', 'kind', 'action', 'outcome', 'from', 'to'] as const
export type ActivityFilters = Partial<Record<(typeof activityFilters)[number], string>>
