import { startTestService, type TestService } from '../testing/test-service'
import { type OpenDocument, openDocument } from './open-document'

/** Nobody is found, so nothing is sent to the addresses that are subscribed. */
const resolve = () => Promise.reject(new Error('This test has no resolver'))

/** Starts a service without a rate limit, and reads the document that it serves. */
export async function startConformance(
  seedPayments: number,
): Promise<{ service: TestService; document: OpenDocument }> {
  const service = await startTestService({
    seedPayments,
    requestsPerMinute: 1_000_000_000,
    wrongCredentialsPerMinute: 1_000_000_000,
    resolve,
  })
  const reply = await service.call('GET', '/openapi.json', { token: null })
  return { service, document: openDocument(reply.text) }
}
