const others = [
  'DATABASE_URL',
  'SERVICE_DATABASE_URL',
  'UPSTREAM_URL',
  'NEXTAUTH_URL',
  'NEXTAUTH_SECRET',
  'NEXTAUTH_SECRET_PREVIOUS',
  'OIDC_ISSUER',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
]

/** Unsets what leads elsewhere: a bench is no place for somebody's own database, service or provider. */
export function keepOwnSettings() {
  for (const name of others) process.env[name] = ''
}
