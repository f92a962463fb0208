import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/** A mail as the server took it: the source, and what a mail program reads in it. */
export type ReceivedMail = { raw: string; from: string; to: readonly string[]; read: Email }

/** What the server says to a recipient instead of taking the mail: an SMTP reply code. */
type Refusals = Map<string, number>

export type MailServer = {
  /** For SMTP_URL. */
  url: string
  received: ReceivedMail[]
  /** By recipient. */
  refusals: Refusals
  /** Sign-ins that were tried. */
  signIns: string[]
  close: () => Promise<void>
}

function refusal(code: number): Error {
  return Object.assign(new Error('not here'), { responseCode: code })
}

async function readStream(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString('latin1')
}

/** A real mail server without TLS on this machine. With `password` only those who sign in as `desk` may send. */
export async function startMailServer({
  password,
  host = '127.0.0.1',
}: {
  password?: string
  host?: string
} = {}): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const refusals: Refusals = new Map()
  const signIns: string[] = []
  const server = new SMTPServer({
    authOptional: password === undefined,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 1_000,
    onAuth: (given, _session, callback) => {
      signIns.push(`${given.username}:${given.password}`)
      if (given.username === 'desk' && given.password === password) callback(null, { user: 'desk' })
      else callback(refusal(535))
    },
    onRcptTo: ({ address }, _session, callback) => {
      const code = refusals.get(address)
      callback(code === undefined ? null : refusal(code))
    },
    onData: (stream, { envelope }, callback) => {
      const from = envelope.mailFrom ? envelope.mailFrom.address : ''
      const to = envelope.rcptTo.map(({ address }) => address)
      const take = async () => {
        const raw = await readStream(stream)
        received.push({ raw, from, to, read: await PostalMime.parse(Buffer.from(raw, 'latin1')) })
        callback(null)
      }
      void take()
    },
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  // Guarantee: it listens on a port.
  const { port } = server.server.address() as AddressInfo
  const auth = password === undefined ? '' : `desk:${encodeURIComponent(password)}@`
  return {
    url: `smtp://${auth}${host}:${port}`,
    received,
    refusals,
    signIns,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
      }),
  }
}
