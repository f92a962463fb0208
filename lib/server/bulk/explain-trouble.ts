const full = ['53100', 'ENOSPC']

/** Whether a store's failure, or one of its causes, says that its disk is full; else it is only not available. */
export function explainStoreTrouble(error: unknown): 'store-full' | 'store-unavailable' {
  let current: unknown = error
  for (let depth = 0; depth < 6 && current instanceof Error; depth += 1) {
    if ('code' in current && typeof current.code === 'string' && full.includes(current.code)) return 'store-full'
    if (/no space left on device|could not extend file/iu.test(current.message)) return 'store-full'
    current = current.cause
  }
  return 'store-unavailable'
}

const codes: Readonly<Record<string, string>> = {
  'status-429': 'slow-down',
  'status-401': 'upstream-credential',
  'status-403': 'upstream-forbidden',
}

/** Why the service could not be read, as a code for people's words. */
export function explainUnread(why: string): string {
  return codes[why] ?? (why.startsWith('status-') ? 'upstream-error' : why)
}
