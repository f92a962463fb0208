import { gateway } from '@/lib/server/gateway'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = gateway(
  'getCustomer',
  'updateCustomer',
  'deleteCustomer',
)
