/*
 * What speaks against a connection's settings, as the other words of this folder. A translation is another module with
 * the same names.
 */

export const mustBeAHeaderName = 'must be a header name'
export const mustBeAnHttpAddress = 'must be an http or https address'
export const mustBeAtMostStates = (states: number) => `must be at most ${states} states`
