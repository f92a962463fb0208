/** `unknown`: the action may or may not have been done. */
export const activityOutcomes = ['done', 'refused', 'failed', 'unknown'] as const
export type ActivityOutcome = (typeof activityOutcomes)[number]

/** The kinds of object that the activity log records. */
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
  'token',
  'setting',
  'retention',
] as const

/** Kinds of which viewers see only their own rows: sessions with their addresses, users, API tokens and settings. */
export const privateKinds: readonly string[] = ['session', 'user', 'token', 'setting']

export type ActivityView = {
  /** The sequence number as text: lists identify rows by a text id. */
  id: string
  /** ISO 8601, UTC. */
  at: string
  actor: string
  action: string
  objectKind: string
  objectId: string
  /** Display name, if the desk knows one. */
  objectName: string | null
  /** Null for rows written before outcomes were recorded. */
  outcome: ActivityOutcome | null
  details: Readonly<Record<string, unknown>>
  hash: string
}

/** Query parameters of the activity log's page and of its routes. */
export const activityFilters = ['person', 'kind', 'action', 'outcome', 'from', 'to'] as const
export type ActivityFilters = Partial<Record<(typeof activityFilters)[number], string>>
