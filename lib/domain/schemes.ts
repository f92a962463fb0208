/** The names under which payers and merchants know the schemes. They are product names: never translated. */
const schemeNames = new Map([
  ['nets-bs', 'Betalingsservice'],
  ['mastercard-bs', 'Betalingsservice'],
  ['nets-ls', 'Leverandørservice'],
  ['sepa-core', 'SEPA Core'],
  ['sepa-b2b', 'SEPA B2B'],
])

/** A scheme's name; null for schemes that the desk does not know. */
export function nameScheme(code: string): string | null {
  return schemeNames.get(code.trim().toLowerCase()) ?? null
}

/** A scheme's name with its code, which tells schemes of the same name apart: "Betalingsservice (nets-bs)". */
export function describeScheme(code: string): string {
  const name = nameScheme(code)
  return name === null ? code : `${name} (${code})`
}
