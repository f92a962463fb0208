import { expect, test } from 'vitest'
import { countStatuses, makeUnknownCredentials, sendBytes, writeRequest } from '../testing/raw-requests'
import { startTestService } from '../testing/test-service'

test('more invented credentials than are counted at once reset the count of no real one', async () => {
  const service = await startTestService({ requestsPerMinute: 3, wrongCredentialsPerMinute: 20 })
  const right = async () => (await service.call('GET', '/Merchants')).status
  const before = [await right(), await right()]
  const requests = [...makeUnknownCredentials(5_200), 'connection: close'].map(writeRequest)
  expect(countStatuses(await sendBytes(service.url, requests.join('')))).toEqual({ 401: 20, 429: 5_181 })
  expect([...before, await right(), await right()]).toEqual([200, 200, 200, 429])
  await service.close()
})
