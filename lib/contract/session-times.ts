/** How long a sign-in still holds, in whole seconds: without a request, and whatever happens. */
export type SessionTimes = { idleLeft: number; left: number }

/** Of a request that a page makes by itself, without anybody's doing: it does not prolong the sign-in. */
export const quietHeader = 'x-debitdesk-quiet'

/** Whose page asks: a browser in which somebody else has signed in since is told so, and nothing is done in their name. */
export const pageUserHeader = 'x-debitdesk-user'
