import type { Deployment } from '@/lib/server/testing/deployments/deployment'
import { makeFolder, type SignIn, startDesk } from './desk'

export type DeployedDesk = { url: string; admin: SignIn; close: () => Promise<void> }

const admin = { email: 'first.admin@desk.example', password: 'correct-horse-battery' }

/** Starts a desk at one of the test services that fill the gaps of the interface differently. */
export async function startDeployedDesk({ settings, service }: Deployment): Promise<DeployedDesk> {
  const { folder, remove } = await makeFolder()
  const desk = await startDesk(folder, {
    ...settings,
    DESK_ADMIN_EMAIL: admin.email,
    DESK_ADMIN_PASSWORD: admin.password,
  })
  return {
    url: desk.url,
    admin,
    close: async () => {
      await desk.command.stop()
      await service.close()
      await remove()
    },
  }
}
