/** The cookie that says how close the rows of lists stand in this browser: `compact`, or missing. */
export const densityCookie = 'debitdesk-density'
