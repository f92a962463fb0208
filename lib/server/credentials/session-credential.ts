import { Credential } from '../credentials'
import { Failure } from '../failure'
import { findProviderTokens, type HeldTokens } from '../openid/provider-tokens'
import { renewTokens } from '../openid/renew-tokens'
import { getTokenOwner, type TokenOwner } from '../openid/token-owner'
import { requireStore } from '../store/require-store'
import * as refusals from '@/lib/words/refusals'

/** An access token is renewed this long before its end, in milliseconds. */
const ahead = 30_000
/** Tokens that a late reply might still repeat, over all users. */
const mostRecent = 256

function refuse(): never {
  throw new Failure('owner-signed-out', {
    detail: refusals.theServiceIsAskedWithYourOwnToken,
    written: false,
  })
}

/**
 * The signed-in user's own access token (UPSTREAM_AUTH=session), of whoever the work going on is for. It is renewed on
 * the server, and once more after a 401.
 */
export class SessionCredential extends Credential {
  /** By token: whether the service refused it, and whether it was fetched because the one before was refused. */
  readonly #recent = new Map<string, { isDoubted: boolean; isLast: boolean }>()

  constructor() {
    super(null, [])
  }

  async #read(owner: TokenOwner): Promise<string> {
    const db = await requireStore()
    let held: HeldTokens | null = await findProviderTokens(db, owner, new Date())
    if (held === null) refuse()
    const isDoubted = this.#recent.get(held.access)?.isDoubted === true
    if (isDoubted || held.expiresAt.getTime() - Date.now() < ahead) held = await this.#renew(held, isDoubted)
    if (held === null) refuse()
    this.#remember(held.access, isDoubted)
    return held.access
  }

  async #renew(held: HeldTokens, isDoubted: boolean): Promise<HeldTokens | null> {
    // Without anything to renew it with, a token serves to its end.
    if (held.refresh === null) return isDoubted || held.expiresAt.getTime() <= Date.now() ? null : held
    return renewTokens(await requireStore(), held)
  }

  #remember(token: string, isLast: boolean): void {
    const known = this.#recent.get(token)
    this.#recent.delete(token)
    this.#recent.set(token, known ?? { isDoubted: false, isLast })
    const [oldest] = this.#recent.keys()
    if (this.#recent.size > mostRecent && oldest !== undefined) this.#recent.delete(oldest)
  }

  override apply(headers: Record<string, string>): Promise<void> {
    const owner = getTokenOwner()
    if (owner === null) return Promise.reject(new Failure('owner-signed-out', { written: false }))
    return this.#read(owner).then((token) => {
      headers.authorization = `Bearer ${token}`
    })
  }

  override judge(headers: Record<string, string>, status: number): boolean {
    const known = this.#recent.get(headers.authorization?.slice('Bearer '.length) ?? '')
    if (!known) return false
    if (status !== 401) {
      known.isLast = false
      return false
    }
    // One that was fetched because the one before was refused is not worth another.
    if (known.isLast) return false
    known.isDoubted = true
    return true
  }

  override redact(text: string): string {
    let clean = text
    for (const token of this.#recent.keys()) clean = clean.replaceAll(token, '[redacted]')
    return clean
  }
}
