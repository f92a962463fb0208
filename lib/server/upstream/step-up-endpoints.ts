import type { EndpointId } from '@/lib/api-contract/addresses'

/**
 * Endpoints that require a recent password: they create a merchant, or report every payment to a new address. No token is
 * accepted at them either, since what they give would outlive it.
 */
export const stepUpEndpoints: readonly EndpointId[] = ['createMerchant', 'subscribeWebhook']
