import { and, asc, eq, isNotNull } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import { appendActivity } from '../activity-log/append'
import { credentialPurpose, encryptCredential } from '../upstream/stored-connections'
import { partPurpose } from '../exports/export-parts'
import { bodyPurpose, signingSecretPurpose } from '../webhooks/inbox'
import { tokensPurpose } from '../auth/provider-tokens'
import { isEncryptedWithCurrentKey, decryptStored, encryptSecret } from './encryption'
import { connections, defaultConnectionId } from './schema'
import { listExportParts } from './export-schema'
import { inboxes, inboxMessages } from './inbox-schema'
import { totpPurpose } from '../second-factor/totp'
import { authenticators } from './factor-schema'
import { mailLinkPurpose } from '../mail/queue-mail'
import { providerTokens } from './auth-schema'
import { mails } from './mail-schema'

/** An encrypted text in the store. `replace` overwrites it and returns no row when it has changed meanwhile. */
type StoredText = {
  text: string
  sealed: boolean
  purpose: string
  replace: (opened: string) => Promise<unknown[]>
}

async function* readCredentials(db: Database): AsyncGenerator<StoredText, void, void> {
  const { connectionId: id, credential } = connections
  for (const { connectionId, text } of await db
    .select({ connectionId: id, text: credential })
    .from(connections)
    .where(isNotNull(credential))) {
    if (text === null) continue
    const isSame = and(eq(id, connectionId), eq(credential, text))
    const replace = (opened: string) =>
      db.update(connections).set(encryptCredential(connectionId, opened)).where(isSame).returning({ id })
    yield { text, sealed: true, purpose: credentialPurpose(connectionId), replace }
  }
}

async function* readSigningSecrets(db: Database): AsyncGenerator<StoredText, void, void> {
  const id = inboxes.connectionId
  for (const name of ['signingSecret', 'signingSecretCandidate'] as const) {
    const column = inboxes[name]
    for (const { connectionId, text } of await db
      .select({ connectionId: id, text: column })
      .from(inboxes)
      .where(isNotNull(column))) {
      if (text === null) continue
      const isSame = and(eq(id, connectionId), eq(column, text))
      const replace = (opened: string) =>
        db
          .update(inboxes)
          .set({ [name]: encryptSecret(opened, signingSecretPurpose) })
          .where(isSame)
          .returning({ id })
      yield { text, sealed: true, purpose: signingSecretPurpose, replace }
    }
  }
}

async function* readTokens(db: Database): AsyncGenerator<StoredText, void, void> {
  const { sessionId: id, tokens } = providerTokens
  for (const { sessionId } of await db.select({ sessionId: id }).from(providerTokens)) {
    const [row] = await db.select({ text: tokens }).from(providerTokens).where(eq(id, sessionId))
    if (!row) continue
    const purpose = tokensPurpose(sessionId)
    const isSame = and(eq(id, sessionId), eq(tokens, row.text))
    const replace = (opened: string) =>
      db
        .update(providerTokens)
        .set({ tokens: encryptSecret(opened, purpose) })
        .where(isSame)
        .returning({ id })
    yield { ...row, sealed: true, purpose, replace }
  }
}

async function* readAppSecrets(db: Database): AsyncGenerator<StoredText, void, void> {
  const { id, secret, userId } = authenticators
  for (const row of await db.select({ id, text: secret, userId }).from(authenticators).where(isNotNull(secret))) {
    const { text } = row
    if (text === null) continue
    const purpose = totpPurpose(row.userId)
    const isSame = and(eq(id, row.id), eq(secret, text))
    const replace = (opened: string) =>
      db
        .update(authenticators)
        .set({ secret: encryptSecret(opened, purpose) })
        .where(isSame)
        .returning({ id })
    yield { text, sealed: true, purpose, replace }
  }
}

async function* readInboxBodies(db: Database): AsyncGenerator<StoredText, void, void> {
  const { sequence: id, body, sealed, connectionId } = inboxMessages
  for (const { sequence } of await db.select({ sequence: id }).from(inboxMessages)) {
    const [row] = await db.select({ text: body, sealed, connectionId }).from(inboxMessages).where(eq(id, sequence))
    if (!row) continue
    const purpose = bodyPurpose(row.connectionId)
    const isSame = and(eq(id, sequence), eq(body, row.text))
    const replace = (opened: string) =>
      db
        .update(inboxMessages)
        .set({ body: encryptSecret(opened, purpose), sealed: true })
        .where(isSame)
        .returning({ id })
    yield { text: row.text, sealed: row.sealed, purpose, replace }
  }
}

async function* readExportParts(db: Database): AsyncGenerator<StoredText, void, void> {
  const { exportId, part, text, sealed } = listExportParts
  const places = await db.select({ exportId, part }).from(listExportParts).orderBy(asc(exportId), asc(part))
  for (const place of places) {
    const isHere = and(eq(exportId, place.exportId), eq(part, place.part))
    const [row] = await db.select({ text, sealed }).from(listExportParts).where(isHere)
    if (!row) continue
    const purpose = partPurpose(place.exportId, place.part)
    const replace = (opened: string) =>
      db
        .update(listExportParts)
        .set({ text: encryptSecret(opened, purpose), sealed: true })
        .where(and(isHere, eq(text, row.text)))
        .returning({ part })
    yield { ...row, purpose, replace }
  }
}

async function* readMailLinks(db: Database): AsyncGenerator<StoredText, void, void> {
  const { id, link } = mails
  for (const { mailId, text } of await db.select({ mailId: id, text: link }).from(mails).where(isNotNull(link))) {
    if (text === null) continue
    const purpose = mailLinkPurpose(mailId)
    const replace = (opened: string) =>
      db
        .update(mails)
        .set({ link: encryptSecret(opened, purpose) })
        .where(and(eq(id, mailId), eq(link, text)))
        .returning({ id })
    yield { text, sealed: true, purpose, replace }
  }
}

const kinds = {
  'merchants’ credentials': readCredentials,
  'signing secrets': readSigningSecrets,
  'provider tokens': readTokens,
  'secrets of authenticator apps': readAppSecrets,
  'inbox bodies': readInboxBodies,
  'parts of exports': readExportParts,
  'links in mails': readMailLinks,
}

/** `changed` were modified by others meanwhile; `unreadable` cannot be decrypted with either secret. */
export type ReencryptionCounts = { current: number; resealed: number; changed: number; unreadable: number }

async function reencrypt({ text, sealed, purpose, replace }: StoredText): Promise<keyof ReencryptionCounts> {
  if (sealed && isEncryptedWithCurrentKey(text, purpose)) return 'current'
  const opened = decryptStored(text, sealed, purpose)
  if (opened === null) return 'unreadable'
  return (await replace(opened)).length > 0 ? 'resealed' : 'changed'
}

/**
 * Re-encrypts with NEXTAUTH_SECRET all texts encrypted with NEXTAUTH_SECRET_PREVIOUS or stored plain by an earlier
 * version. Each text is replaced separately and only while unchanged, so desks that have both secrets may run
 * meanwhile; another run completes the rest. Returns counts by kind, which are also logged.
 */
export async function reencryptStore(db: Database): Promise<Record<string, ReencryptionCounts>> {
  const result: Record<string, ReencryptionCounts> = {}
  for (const [kind, read] of Object.entries(kinds)) {
    const counts = { current: 0, resealed: 0, changed: 0, unreadable: 0 }
    for await (const stored of read(db)) counts[await reencrypt(stored)] += 1
    result[kind] = counts
  }
  if (Object.values(result).every(({ resealed }) => resealed === 0)) return result
  const entry = { connectionId: defaultConnectionId, actor: 'command line', action: 'setting.resealed' }
  const about = { objectKind: 'setting', objectId: 'sealed texts', details: { result } }
  await db.transaction((tx) => appendActivity(tx, { ...entry, ...about }))
  return result
}
