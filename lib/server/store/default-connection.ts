/** The one connection there is today; every row of the store names it. */
export const defaultConnectionId = 'default'
