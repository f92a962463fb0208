import { DatabaseError } from '@/lib/database/errors'
import { FolderLockedError } from '@/lib/database/folder-lock'
import { describeError } from '../runtime/log'
import type { Settings } from '../runtime/settings'

const reasons: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'there is no such host',
  '28P01': 'it does not accept the user or the password',
  '28000': 'it does not accept the user',
  '3D000': 'there is no such database',
  '42501': 'the user may not change its tables',
  EACCES: 'it may not be written to',
  EROFS: 'it may not be written to',
  ENOSPC: 'the disk is full',
  '53100': 'the disk is full',
}

/** The code of an exception or of its first cause with one. */
export function findCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  return 'code' in error && typeof error.code === 'string' ? error.code : findCode(error.cause)
}

/** Why the store cannot be opened, as a sentence that names the setting. */
export function explainStoreError(
  error: unknown,
  { DATABASE_URL, DATA_DIR }: Pick<Settings, 'DATABASE_URL' | 'DATA_DIR'>,
): string {
  if (error instanceof FolderLockedError || error instanceof DatabaseError) return error.message
  const code = findCode(error)
  const reason = reasons[code ?? ''] ?? code ?? describeError(error).name
  return `The store ${DATABASE_URL ? 'at DATABASE_URL' : `in DATA_DIR (${DATA_DIR}/desk)`} cannot be opened: ${reason}.`
}
