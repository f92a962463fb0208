import type { Handler } from './handler'

/** GET /: plain text, without a credential. */
export const getStatus: Handler<'getStatus'> = async () => ({ status: 200, body: 'The direct-debit service is up.' })
