import { createTransport } from 'nodemailer'
import { isLoopback } from '../runtime/setting-types'
import { getSettings } from '../runtime/settings'

/** Far below a mail's lease, so that a mail server that answers slowly leads to no second mail. */
const STEP_TIMEOUT_MS = 10_000
const SEND_TIMEOUT_MS = 60_000

/** A mail as it is handed over. `id` is the same at each try, so that receivers can recognise a repeated one. */
export type OutgoingMail = { id: string; to: string; subject: string; text: string; html: string }

/** Why a mail was not taken. `isFinal`: this recipient or this mail is refused, and will be again. */
export type MailFailure = { problem: string; isFinal: boolean; isServerDown: boolean }

/** Whether a mail server is set. Without one nothing is queued, and admins pass password links on themselves. */
export function isMailSet(): boolean {
  return getSettings().SMTP_URL !== undefined
}

function makeTransport() {
  const { SMTP_URL: server } = getSettings()
  if (!server) throw new Error('SMTP_URL is not set')
  const { host, port, secure, auth } = server
  return createTransport({
    host,
    port,
    secure,
    ...(auth && { auth }),
    // A password is never sent in clear over a network, whatever the server offers.
    requireTLS: !secure && auth !== null && !isLoopback(`smtp://${host.includes(':') ? `[${host}]` : host}`),
    connectionTimeout: STEP_TIMEOUT_MS,
    greetingTimeout: STEP_TIMEOUT_MS,
    dnsTimeout: STEP_TIMEOUT_MS,
    socketTimeout: STEP_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** Ends what lasts too long although the server keeps answering. */
async function withDeadline(transport: ReturnType<typeof makeTransport>, work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error('too slow'), { code: 'ETIMEDOUT' })), SEND_TIMEOUT_MS)
  })
  try {
    await Promise.race([work, deadline])
  } finally {
    clearTimeout(timer)
    work.catch(() => undefined)
    transport.close()
  }
}

/** Hands a mail over to the mail server. Throws what describeMailFailure reads. */
export async function sendMail({ id, to, subject, text, html }: OutgoingMail): Promise<void> {
  const { MAIL_FROM: from } = getSettings()
  if (!from) throw new Error('MAIL_FROM is not set')
  const transport = makeTransport()
  const sent = transport.sendMail({
    from,
    to: { name: '', address: to },
    // Line breaks and other controls would end the header.
    subject: subject.replaceAll(/\p{Cc}+/gu, ' '),
    text,
    html,
    messageId: `<${id}@${from.address.split('@')[1] ?? 'localhost'}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
  })
  await withDeadline(transport, sent)
}

/** Connects to the mail server and signs in, sending nothing. Throws what describeMailFailure reads. */
export async function checkMailServer(): Promise<void> {
  const transport = makeTransport()
  await withDeadline(transport, transport.verify())
}

/**
 * What became of a try, from its error's code and the server's reply code. The reply's text is left out: it repeats
 * addresses, and a strange server could put anything there.
 */
export function describeMailFailure(error: unknown): MailFailure {
  const failure: object = error instanceof Error ? error : {}
  const { code, command, responseCode }: { code?: unknown; command?: unknown; responseCode?: unknown } = failure
  const reply = typeof responseCode === 'number' ? responseCode : null
  const problem = [typeof code === 'string' ? code : 'internal', reply ?? ''].join(' ').trim()
  const isOfMail = command === 'RCPT TO' || command === 'DATA'
  return { problem, isFinal: isOfMail && reply !== null && reply >= 500, isServerDown: !isOfMail }
}
