import type { NoticeKind } from '@/lib/domain/notifications'

/** What an account's second factor underwent. */
export type FactorChange = 'added' | 'removed' | 'codes-renewed' | 'recoveryUsed' | 'resetRequested'

/** What a mail says: nothing of payers, only counts and the ids of payments, bulks and exports. Times are ISO 8601. */
export type MailContent =
  | { kind: 'password-link'; purpose: 'invitation' | 'reset'; linkId: string; madeBy: string | null; expiresAt: string }
  | { kind: 'new-device'; browser: string | null; peer: string; at: string }
  | { kind: 'password-changed'; at: string }
  | { kind: 'factor-changed'; change: FactorChange; at: string }
  | { kind: 'token-made'; name: string; at: string }
  | { kind: 'closing-today'; count: number | null; isComplete: boolean }
  | { kind: NoticeKind; count: number; subjects: string[] }
