import * as z from 'zod'
import { hasVisibleText } from '@/lib/api-contract/visible-text'
import { hasInvisibleCharacters } from './text/invisible-characters'
import { storableText } from './text/storable-text'
import * as m from '@/lib/messages/m'

/** How the desk authenticates to a service. A further one, `session` (the user's own token), exists only in the settings. */
export const connectionAuths = ['basic', 'bearer', 'header', 'client-credentials', 'none'] as const

const line = storableText
  .trim()
  .refine(hasVisibleText, { error: m.contractFields_mustNotBeEmpty })
  .max(2_048, { error: () => m.contractFields_mustBeAtMostCharacters({ characters: 2_048 }) })

const states = z
  .array(storableText.trim().toLowerCase().min(1).max(60))
  .max(50, { error: () => m.connectionSettings_mustBeAtMostStates({ states: 50 }) })
  .transform((given) => [...new Set(given)])

/** A connection as stored, without its secret. */
export const connectionSettings = z.strictObject({
  baseUrl: line.refine((value) => URL.canParse(value) && /^https?:$/u.test(new URL(value).protocol), {
    error: m.connectionSettings_mustBeAnHttpAddress,
  }),
  auth: z.enum(connectionAuths),
  /** For `header`. */
  header: line
    .regex(/^[!#$%&'*+.^_`|~\dA-Za-z-]+$/u, { error: m.connectionSettings_mustBeAHeaderName })
    .default('X-Api-Key'),
  /** For `client-credentials`. */
  tokenUrl: line.optional(),
  clientId: line.optional(),
  scope: line.optional(),
  amounts: z.enum(['minor', 'hundredths', 'major']).default('minor'),
  cancellable: states.default(['pending']),
  cancelled: states.default(['cancelled']),
  final: states.default(['settled', 'rejected', 'chargeback']),
  /** Whether its payments are live, according to the person who added it; shown beside its name. */
  mode: z.enum(['live', 'test']).default('live'),
})

export type ConnectionSettings = z.output<typeof connectionSettings>

const shared = {
  name: z
    .string()
    .trim()
    .min(1, { error: m.contractFields_mustNotBeEmpty })
    .max(80, { error: () => m.contractFields_mustBeAtMostCharacters({ characters: 80 }) })
    .refine((name) => !hasInvisibleCharacters(name), { error: m.requestRules_holdsInvisibleCharacters }),
}
const secret = z
  .string()
  .min(1, { error: m.contractFields_mustNotBeEmpty })
  .max(8_192, { error: () => m.contractFields_mustBeAtMostCharacters({ characters: 8_192 }) })

/** Body of the request that adds a merchant. `secret` is the token, or the client secret for `client-credentials`. */
export const newConnection = z.strictObject({ ...shared, ...connectionSettings.shape, secret: secret.optional() })

export type NewConnection = z.output<typeof newConnection>

/** Body of the request that changes one: `revision` is that of the connection as it was shown. */
export const connectionChange = newConnection.extend({ revision: z.int().min(1) })

export type ConnectionChange = z.output<typeof connectionChange>
