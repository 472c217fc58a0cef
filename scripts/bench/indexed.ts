import { requestApi } from './api.ts'
import { waitUntilIdle } from './fill.ts'
import type { Server } from './servers.ts'

/** Longer than the pause after the last text until the index trains its models. */
const PAUSE_MS = 1500

/** Waits until the search index contains every text, and has trained its models. */
export async function waitUntilIndexed(server: Server & { api_key: string }): Promise<void> {
  while (await isBuilding(server)) await Bun.sleep(1000)
  await Bun.sleep(PAUSE_MS)
  await waitUntilIdle(server)
}

/** Responses carry a warning until the index contains every text. */
async function isBuilding({ url, api_key }: Server & { api_key: string }): Promise<boolean> {
  const { warnings = [] } = await requestApi(url, api_key, 'GET', '/api/v1/search/quick?query=a')
  return warnings.some(({ code }) => code === 'index_building')
}
