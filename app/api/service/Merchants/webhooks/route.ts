import { gateway } from '@/lib/server/upstream/gateway'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = gateway('listWebhooks')
