/*
 * Messages about connection settings, each the end of a sentence that begins with the field's name. A translation is
 * another module with the same names.
 */

export const mustBeAHeaderName = 'must be a header name'
export const mustBeAnHttpAddress = 'must be an http or https address'
export const mustBeAtMostStates = (states: number) => `must be at most ${states} states`
