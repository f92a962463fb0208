import { AppError } from '../runtime/app-error'
import { signIn } from '../auth/sign-in'
import { attempts, connections, memberships } from '../store/schema'
import { createUser } from '../auth/users'
import { openMemoryStore } from './store-fixture'

/*
 * Checks whether the duration of a refusal reveals who has an account (SE-13): 500 wrong passwords each for an account,
 * one that works for three merchants and an address without one, interleaved. Prints the medians and the probability of
 * such a difference by chance.
 */

const ROUNDS = Number(process.argv[2] ?? 500)

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}

/** The two-sided p of the Mann-Whitney test by normal approximation, which is good from twenty values on. */
function compare(one: readonly number[], other: readonly number[]): number {
  const ranked = [...one.map((value) => ({ value, first: true })), ...other.map((value) => ({ value, first: false }))]
    .toSorted((a, b) => a.value - b.value)
    .map((entry, index) => ({ ...entry, rank: index + 1 }))
  const ranks = ranked.filter(({ first }) => first).reduce((sum, { rank }) => sum + rank, 0)
  const [n, m] = [one.length, other.length]
  const u = ranks - (n * (n + 1)) / 2
  const z = Math.abs(u - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12)
  // Abramowitz and Stegun 26.2.17.
  const t = 1 / (1 + 0.2316419 * z)
  const tail = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  return Math.min(1, (2 * Math.exp((-z * z) / 2) * tail) / Math.sqrt(2 * Math.PI))
}

process.env.NEXTAUTH_SECRET ??= 'only for this measurement, never to be used'
const store = await openMemoryStore()
const password = 'moss-covered lantern'
const names = { one: 'known@example.com', several: 'busy@example.com', none: 'nobody@example.com' } as const
await createUser(store.db, { email: names.one, password, role: 'viewer', connectionId: 'default' })
const busy = await createUser(store.db, { email: names.several, password, role: 'viewer', connectionId: 'default' })
for (const connectionId of ['m-second', 'm-third']) {
  await store.db.insert(connections).values({ connectionId, name: connectionId })
  await store.db.insert(memberships).values({ connectionId, userId: busy, role: 'viewer' })
}

async function time(email: string): Promise<number> {
  const began = performance.now()
  await signIn(store.db, { email, password: 'not the password', peer: '192.0.2.1' }, null, new Date()).catch(
    (error: unknown) => {
      if (!(error instanceof AppError)) throw error
    },
  )
  const took = performance.now() - began
  await store.db.delete(attempts)
  return took
}

const kinds = ['one', 'several', 'none'] as const
for (let warming = 0; warming < 20; warming += 1) for (const kind of kinds) await time(names[kind])
const took: Record<(typeof kinds)[number], number[]> = { one: [], several: [], none: [] }
for (let round = 0; round < ROUNDS; round += 1) {
  // Rotates the order, so that each kind is equally often first.
  for (const [place] of kinds.entries()) {
    const kind = kinds[(round + place) % kinds.length] ?? 'none'
    took[kind].push(await time(names[kind]))
  }
}
await store.close()

/** Whether an account's refusals are indistinguishable from those of no account. */
function report(label: string, known: readonly number[]): boolean {
  const [ours, theirs, p] = [median(known), median(took.none), compare(known, took.none)]
  process.stdout.write(
    `${ROUNDS} refusals each: ${label} ${ours.toFixed(2)} ms, without ${theirs.toFixed(2)} ms, ` +
      `difference ${Math.abs(ours - theirs).toFixed(2)} ms, p ${p.toFixed(3)}\n`,
  )
  // Medians vary on a busy machine; p tells whether the difference is significant.
  return p > 0.01
}

const hidden = [report('with an account', took.one), report('with one at three merchants', took.several)]
process.exit(hidden.every(Boolean) ? 0 : 1)
