import type { Role } from '@/lib/api-contract/permission'

/*
 * The texts of the reference's body, in English like those of the OpenAPI document that they stand among. Its frame is in the
 * reader's language.
 */

export const referenceTexts = {
  provider: 'Provider',
  records: 'Records',
  aboutRecords:
    'What replies contain. Debitdesk reads them tolerantly: any field may be missing, and unknown ones are kept.',
  decisions: 'Decisions',
  aboutDecisions: 'What the API leaves open, and how the embedded service handles it. Other providers may differ.',
  field: 'Field',
  type: 'Type',
  notes: 'Notes',
  required: 'required',
  anything: 'anything',
} as const

export const englishRoles: Record<Role, string> = {
  admin: 'Admin',
  support: 'Support',
  'support-without-bulk': 'Support without bulk',
  viewer: 'Viewer',
  auditor: 'Auditor',
}

/** "A, B and C", or with "or". */
export function joinEnglish(names: readonly string[], type: 'conjunction' | 'disjunction'): string {
  return new Intl.ListFormat('en-GB', { type }).format(names)
}
