import { randomBytes, randomInt } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { CommandFailure } from './command-failure.mjs'

const consonants = 'bdfghjklmnprstvz'
const vowels = 'aeiou'

/** Four pronounceable words of two syllables, 50 bits: `rafo-timu-keda-bosi`. */
function makePassword() {
  const syllable = () => (consonants[randomInt(consonants.length)] ?? '') + vowels[randomInt(vowels.length)]
  return Array.from({ length: 4 }, () => syllable() + syllable()).join('-')
}

function makeSecrets() {
  return {
    serviceToken: randomBytes(24).toString('base64url'),
    nextAuthSecret: randomBytes(32).toString('base64url'),
    demoPasswords: { admin: makePassword(), support: makePassword(), viewer: makePassword() },
  }
}

/**
 * The secrets of this data folder, made at the first start and kept in `secrets.json`, which only its
 * owner can read: the embedded service's token, next-auth's secret, the demo passwords.
 */
export function keepSecrets(dataDir) {
  const path = `${dataDir}/secrets.json`
  if (!existsSync(path)) {
    // Written aside and renamed: an interrupted start leaves no half a file behind.
    writeFileSync(`${path}.new`, `${JSON.stringify(makeSecrets(), null, 2)}\n`, { mode: 0o600 })
    renameSync(`${path}.new`, path)
  }
  chmodSync(path, 0o600)
  try {
    const secrets = JSON.parse(readFileSync(path, 'utf8'))
    if (secrets.serviceToken && secrets.nextAuthSecret && secrets.demoPasswords) return secrets
  } catch {
    // told below
  }
  throw new CommandFailure(`${path} cannot be read: delete it, and new secrets are made.`)
}
