import { eq } from 'drizzle-orm'
import { getDeskOrigin } from '../session-cookie'
import { getSettings } from '../settings'
import { identities } from '../store/provider-schema'
import { requireStore } from '../store/require-store'
import { hasOpenId } from './openid-provider'
import { readProviderMetadata } from './provider-metadata'

/**
 * Where a browser goes to end the provider's own session too (RP-Initiated Logout), for users who come from there and
 * where the provider offers it; else null. Named by the client, without the id token: no token reaches the browser.
 * Never throws: signing out of the desk is done already.
 */
export async function writeEndSession(userId: string): Promise<string | null> {
  const settings = getSettings()
  if (!hasOpenId(settings)) return null
  try {
    const db = await requireStore()
    if ((await db.$count(identities, eq(identities.userId, userId))) === 0) return null
    const { end_session_endpoint: endpoint } = await readProviderMetadata()
    if (endpoint === undefined) return null
    const url = new URL(endpoint)
    url.searchParams.set('client_id', settings.OIDC_CLIENT_ID ?? '')
    url.searchParams.set('post_logout_redirect_uri', `${getDeskOrigin()}/sign-in`)
    return url.href
  } catch {
    return null
  }
}
