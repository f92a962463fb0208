import * as z from 'zod'
import * as m from '@/lib/messages/m'
import { isStorable } from './is-storable'

/** A text that the store can hold, see isStorable. */
export const storableText = z.string().refine(isStorable, { error: m.requestRules_holdsInvisibleCharacters })
