/** Where the service gets the time from: every moment it writes and every step it takes by itself. */
export type Clock = { now: () => Date }

export const realClock: Clock = { now: () => new Date() }
