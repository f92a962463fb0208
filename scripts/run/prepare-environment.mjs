import { CommandFailure } from './command-failure.mjs'
import { keepSecrets } from './keep-secrets.mjs'

const roles = ['admin', 'support', 'viewer']

function isLoopback(address) {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/u.test(new URL(address).hostname)
}

/**
 * What the children are given beside the settings: their secrets, made once where the settings name
 * none, and the demo sign-ins, which exist only with the embedded service on loopback.
 * Answers { env, token, address, signIns: [{ role, email, password }] }.
 */
export function prepareEnvironment(settings) {
  // 127.0.0.1, not localhost: the desk listens there, and a cookie or a redirect must not change the name.
  const address = settings.NEXTAUTH_URL ?? `http://127.0.0.1:${settings.PORT}`
  const local = isLoopback(address)
  if (!settings.NEXTAUTH_SECRET && !local) {
    throw new CommandFailure('Setting NEXTAUTH_SECRET is needed when NEXTAUTH_URL is not on this machine.')
  }
  const secrets = keepSecrets(settings.DATA_DIR)
  const embedded = !settings.UPSTREAM_URL
  const token = settings.SERVICE_TOKEN ?? secrets.serviceToken
  const signIns =
    embedded && local
      ? roles.map((role) => ({ role, email: `${role}@debitdesk.example`, password: secrets.demoPasswords[role] }))
      : []
  const env = {
    ...process.env,
    PORT: String(settings.PORT),
    SERVICE_PORT: String(settings.SERVICE_PORT),
    DATA_DIR: settings.DATA_DIR,
    NEXTAUTH_URL: address,
    NEXTAUTH_SECRET: settings.NEXTAUTH_SECRET ?? secrets.nextAuthSecret,
    NEXT_TELEMETRY_DISABLED: '1',
  }
  // The desk never learns the embedded service's token unless it is to use it.
  delete env.SERVICE_TOKEN
  delete env.DEMO_SIGN_INS
  if (embedded) env.SERVICE_TOKEN = token
  if (signIns.length > 0) env.DEMO_SIGN_INS = JSON.stringify(signIns)
  return { env, token, address, signIns }
}
