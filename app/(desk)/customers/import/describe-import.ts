import type { CustomerImportView } from '@/lib/contract/customer-import'

const reasons: Record<string, string> = {
  'upstream-credential': 'the service does not accept the desk’s credential',
  'upstream-forbidden': 'the service refuses to create customers',
  forbidden: 'the role of whoever started it does not allow this any more',
  'upstream-unreachable': 'the service cannot be reached',
  'upstream-timeout': 'the service does not answer in time',
}

/** The state of an import in a few words. */
export function describeImport({ state, problem, waitUntil, startedBy }: CustomerImportView): string {
  switch (state) {
    case 'running':
      return waitUntil ? 'Waiting: the service asks to slow down, or did not answer' : 'Creating customers'
    case 'done':
      return 'Done'
    case 'stopped':
      return 'Stopped'
    case 'interrupted':
      return 'Interrupted by a restart of the desk'
    default:
      if (problem === 'owner-signed-out') return `Waiting for ${startedBy} to sign in`
      return `Held: ${reasons[problem ?? ''] ?? 'something went wrong'}`
  }
}
