import * as m from '@/lib/messages/m'

/** An agreement as the desk remembers it. Timestamps are ISO 8601 in UTC. */
export type KnownAgreement = {
  /** The id as the service spells it, or the handle when there is no id. */
  agreementId: string
  handle: string | null
  scheme: string | null
  status: string | null
  test: boolean | null
  /** How the desk learned of it: created here, opened here, or listed in the merchant record. */
  source: 'made' | 'opened' | 'merchant'
  rememberedBy: string
  /** When it was last read from the service. */
  readAt: string
}

/** The agreements the desk knows, and whether the merchant record could be read for more. */
export type KnownAgreements = { agreements: KnownAgreement[]; merchant: 'read' | 'unreadable' }

/** The schemes whose data fields the desk knows (decision 0002); any other scheme's data is free-form. Zod-free. */
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

/** Numbers as people copy them: CVR numbers with blanks or as a VAT number (`DK12 34 56 78`), PBS numbers with blanks. */
export function normalizeSchemeData(typed: KnownSchemeData): KnownSchemeData {
  return {
    cvrNumber: typed.cvrNumber.replaceAll(/\s/gu, '').replace(/^DK-?/iu, ''),
    pbsNumber: typed.pbsNumber.replaceAll(/\s/gu, ''),
    // What a creditor number looks like is not documented.
    creditorNumber: typed.creditorNumber.trim(),
    agreementType: typed.agreementType,
  }
}

/** The errors in a known scheme's data by field. Missing fields are no error: the service decides what it requires. */
export function checkSchemeData(data: Record<string, unknown>): Partial<Record<keyof KnownSchemeData, string>> {
  const { cvrNumber, pbsNumber, agreementType } = data
  const isEightDigits = (value: unknown) => value === undefined || (typeof value === 'string' && /^\d{8}$/u.test(value))
  const isType = agreementType === undefined || agreementTypes.some((type) => type === agreementType)
  return {
    ...(isEightDigits(cvrNumber) ? {} : { cvrNumber: m.knownSchemes_mustBeDigits({ digits: 8 }) }),
    ...(isEightDigits(pbsNumber) ? {} : { pbsNumber: m.knownSchemes_mustBeDigits({ digits: 8 }) }),
    ...(isType ? {} : { agreementType: m.knownSchemes_mustBeStandardOrTotal() }),
  }
}
