import { type Ability, type ListId, usedAbilities } from '@/lib/contract/ability'
import { endpoints } from '@/lib/contract/endpoints'
import { formatFilter, formatOrder } from '@/lib/contract/filter'
import * as words from '@/lib/words/doctor-findings'
import { type Probe, type ProbeRow, probeAbility } from '../capabilities/probe-ability'
import { explain, type Patient } from './patient'

/** A refusal is an answer too: this filter or order is not understood. */
class Refused extends Error {}

function makeProbe(patient: Patient, list: ListId, sample: readonly ProbeRow[]): Probe {
  return {
    list,
    sample,
    read: async ({ filter, order, after }) => {
      const query = {
        limit: 100,
        filter: filter && formatFilter(filter),
        orderby: order && formatOrder([order]),
        after,
      }
      const reply = await patient.read(list, { query })
      const read = reply.status === 200 ? endpoints[list].reply.safeParse(reply.json) : undefined
      if (!read?.success) throw new Refused(String(reply.status))
      const { results, continuation } = read.data
      return {
        rows: results.map((row) => ({ ...row })),
        after: continuation.kind === 'more' ? continuation.after : null,
      }
    },
  }
}

const isCase = (ability: Ability) => ability.startsWith('anycase:')

/** Tries each filter and order that the desk would use, by the same proof as the desk. */
export async function checkAbilities(
  patient: Patient,
  list: ListId,
  area: string,
  sample: readonly ProbeRow[],
): Promise<void> {
  const probe = makeProbe(patient, list, sample.slice(0, 100))
  const found: Record<'holds' | 'fails' | 'open', string[]> = { holds: [], fails: [], open: [] }
  for (const ability of usedAbilities[list]) {
    if (isCase(ability) && !found.holds.includes(ability.replace('anycase:', 'contains:'))) continue
    try {
      const holds = await probeAbility(probe, ability, found.holds)
      found[holds === null ? 'open' : holds ? 'holds' : 'fails'].push(ability)
    } catch (error) {
      if (!(error instanceof Refused)) return patient.note(area, 'filter and order', 'warning', explain(error))
      found.fails.push(ability)
    }
  }
  const say = (result: 'ok' | 'note' | 'skipped', names: string[], write: (names: string) => string) => {
    if (names.length > 0) patient.note(area, 'filter and order', result, write(names.join(', ')))
  }
  say('ok', found.holds, words.abilities.proven)
  say('note', found.fails.filter(isCase), words.abilities.tellsCapitalLetters)
  say(
    'note',
    found.fails.filter((ability) => !isCase(ability)),
    words.abilities.notUnderstood,
  )
  say('skipped', found.open, words.abilities.notToBeDecided)
}
