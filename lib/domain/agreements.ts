import * as words from './words/known-schemes'

/** An agreement as the desk remembers it. Moments are ISO 8601 in UTC. */
export type KnownAgreement = {
  /** The id as the service says it; the handle where it says none. */
  agreementId: string
  handle: string | null
  scheme: string | null
  status: string | null
  test: boolean | null
  /** How the desk came to know it: made here, opened here, or named in the merchant record. */
  source: 'made' | 'opened' | 'merchant'
  rememberedBy: string
  /** When the service last said so. */
  readAt: string
}

/** What the desk knows of the agreements, and whether the merchant record could be asked. */
export type KnownAgreements = { agreements: KnownAgreement[]; merchant: 'read' | 'unreadable' }

/** The schemes whose data the desk knows by name (decision 0002); any other scheme's is free-form. Zod-free. */
export const knownSchemes = [
  { scheme: 'nets-bs', label: 'nets-bs (Betalingsservice)' },
  { scheme: 'mastercard-bs', label: 'mastercard-bs (Betalingsservice)' },
  { scheme: 'nets-ls', label: 'nets-ls (Leverandørservice)' },
] as const

export const agreementTypes = ['standard', 'total'] as const

export type KnownSchemeData = { cvrNumber: string; pbsNumber: string; creditorNumber: string; agreementType: string }

export function isKnownScheme(scheme: string): boolean {
  return knownSchemes.some((known) => known.scheme === scheme.trim().toLowerCase())
}

/** What is wrong with a known scheme's data, by field; what was left empty is the service's to ask for. */
export function checkSchemeData(data: Record<string, unknown>): Partial<Record<keyof KnownSchemeData, string>> {
  const { cvrNumber, pbsNumber, agreementType } = data
  const isEightDigits = (value: unknown) => value === undefined || (typeof value === 'string' && /^\d{8}$/u.test(value))
  const isType = agreementType === undefined || agreementTypes.some((type) => type === agreementType)
  return {
    ...(isEightDigits(cvrNumber) ? {} : { cvrNumber: words.mustBeDigits(8) }),
    ...(isEightDigits(pbsNumber) ? {} : { pbsNumber: words.mustBeDigits(8) }),
    ...(isType ? {} : { agreementType: words.mustBeStandardOrTotal }),
  }
}
