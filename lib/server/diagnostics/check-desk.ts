import { isLoopback } from '../runtime/setting-types'
import type { Settings } from '../runtime/settings'
import { checkMailServer, describeMailFailure } from '../mail/transport'
import { checkAddress, checkClockAt } from './check-address'
import { checkStore } from './check-store'
import { DeskFindings } from './desk-findings'

function checkSecrets(found: DeskFindings, { NEXTAUTH_SECRET, NEXTAUTH_URL, ACTIVITY_KEY, DATABASE_URL }: Settings) {
  if (NEXTAUTH_SECRET) found.add('secrets', 'ok', 'NEXTAUTH_SECRET is set.')
  else if (isLoopback(NEXTAUTH_URL)) found.add('secrets', 'note', 'NEXTAUTH_SECRET is generated in DATA_DIR.')
  else found.add('secrets', 'failure', 'NEXTAUTH_SECRET is needed: set 32 random characters or more.')
  if (DATABASE_URL && !ACTIVITY_KEY) {
    const detail = 'ACTIVITY_KEY is generated in DATA_DIR: keep that folder over restarts, or set the key.'
    found.add('activity key', 'note', detail)
  }
}

const mailAdvice: Record<string, string> = {
  EAUTH: 'Check the user and the password in SMTP_URL.',
  ESOCKET: 'Check host, port and certificate in SMTP_URL, and whether this machine may connect there.',
  ETIMEDOUT: 'Check host and port in SMTP_URL, and whether a firewall is in between.',
  ECONNECTION: 'Check host and port in SMTP_URL.',
  EDNS: 'Check the host in SMTP_URL.',
  ETLS: 'The server must offer STARTTLS, or use smtps://.',
}

async function checkMail(found: DeskFindings, { SMTP_URL }: Settings): Promise<void> {
  const subject = 'mail server'
  if (!SMTP_URL) return found.add(subject, 'skipped', 'SMTP_URL is not set: no mail is sent.')
  try {
    await checkMailServer()
    found.add(subject, 'ok', `${SMTP_URL.host} takes mail${SMTP_URL.auth ? ' from this user' : ''}.`)
  } catch (error) {
    const { problem } = describeMailFailure(error)
    const advice = mailAdvice[problem.split(' ')[0] ?? ''] ?? 'Check SMTP_URL.'
    found.add(subject, 'failure', `No mail can be handed to ${SMTP_URL.host} (${problem}). ${advice}`)
  }
}

/** Checks the dashboard's own deployment; changes nothing. `settings` are those of this process. */
export async function checkDesk(settings: Settings): Promise<DeskFindings> {
  const found = new DeskFindings()
  checkSecrets(found, settings)
  await checkAddress(found, settings)
  await checkStore(found, settings)
  if (settings.UPSTREAM_URL) await checkClockAt(found, 'clock of provider', new URL(settings.UPSTREAM_URL))
  await checkMail(found, settings)
  return found
}
