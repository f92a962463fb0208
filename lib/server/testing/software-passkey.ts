import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

const toText = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
const hash = (data: string | Buffer) => createHash('sha256').update(data).digest()

/** A passkey as an authenticator and a browser would answer with it (WebAuthn level 2), without either. */
export class SoftwarePasskey {
  /** What the answers claim; tests change it. */
  origin = 'http://localhost:3000'
  isVerified = true
  counter = 0
  readonly #id = randomBytes(32)
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })

  #writeAuthenticatorData(withCredential: boolean): Buffer {
    this.counter += 1
    const head = Buffer.alloc(37)
    hash('localhost').copy(head)
    head[32] = USER_PRESENT | (this.isVerified ? USER_VERIFIED : 0) | (withCredential ? HAS_CREDENTIAL : 0)
    head.writeUInt32BE(this.counter, 33)
    if (!withCredential) return head
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    const coordinate = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))
    // RFC 9053: an EC2 key of P-256 for ES256.
    const key = new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, coordinate(x)],
      [-3, coordinate(y)],
    ])
    const length = Buffer.alloc(2)
    length.writeUInt16BE(this.#id.length)
    return Buffer.concat([head, Buffer.alloc(16), length, this.#id, isoCBOR.encode(key)])
  }

  #answer(type: string, challenge: string, rest: (clientData: Buffer) => Record<string, Uint8Array>) {
    const clientData = Buffer.from(JSON.stringify({ type, challenge, origin: this.origin }))
    const parts = Object.entries({ clientDataJSON: clientData, ...rest(clientData) })
    return {
      id: toText(this.#id),
      rawId: toText(this.#id),
      type: 'public-key',
      clientExtensionResults: {},
      response: Object.fromEntries(parts.map(([name, bytes]) => [name, toText(bytes)])),
    }
  }

  /** The answer to `navigator.credentials.create`. */
  create(challenge: string) {
    return this.#answer('webauthn.create', challenge, () => ({
      attestationObject: isoCBOR.encode(
        new Map<string, string | Map<string, string> | Uint8Array>([
          ['fmt', 'none'],
          ['attStmt', new Map<string, string>()],
          ['authData', new Uint8Array(this.#writeAuthenticatorData(true))],
        ]),
      ),
    }))
  }

  /** The answer to `navigator.credentials.get`. */
  get(challenge: string) {
    return this.#answer('webauthn.get', challenge, (clientData) => {
      const authenticatorData = this.#writeAuthenticatorData(false)
      const signature = sign('sha256', Buffer.concat([authenticatorData, hash(clientData)]), this.#keys.privateKey)
      return { authenticatorData, signature }
    })
  }
}
