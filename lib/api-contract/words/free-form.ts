/*
 * Messages about free-form objects, each the end of a sentence that begins with the field's name (see fields.ts).
 */

export const hasAKeyThatCannotBeStored = 'has a key that cannot be stored'
export const holdsTextThatCannotBeStored = 'holds text that cannot be stored'
export const mustBeAtMostLevelsDeep = (levels: number) => `must be at most ${levels} levels deep`
export const mustHaveAtMostKeys = (keys: number) => `must have at most ${keys} keys`
export const mustNotHaveAKeyNamed = (key: string) => `must not have a key named ${key}`
