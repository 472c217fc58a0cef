import { addCleanup } from '../../support/database.ts'
import { oauthWorld } from './oauth-client.ts'

/** The world on a port of its own, at whose address clients find everything. */
export async function listeningWorld() {
  const w = await oauthWorld()
  const app = w.app.listen({ port: 0, hostname: '127.0.0.1', reusePort: false })
  const base = `http://127.0.0.1:${app.server!.port}`
  w.config.url = base
  addCleanup(() => void app.stop(true))
  return { ...w, base }
}

export type ListeningWorld = Awaited<ReturnType<typeof listeningWorld>>
