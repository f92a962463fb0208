import * as z from 'zod'
import { defineEndpoint } from './endpoint'

export const getStatus = defineEndpoint({
  id: 'getStatus',
  summary: 'Says that the service is up, in plain text.',
  permission: 'read',
  params: {},
  reply: z.unknown(),
  decisions: ['Needs no credential.'],
})
