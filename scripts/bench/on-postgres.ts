import { startPostgres } from '../postgres.ts'
import { requestApi } from './api.ts'
import type { BenchServers } from './bench-servers.ts'
import { waitUntilIdle } from './fill.ts'
import type { Fixture } from './fixture.ts'
import { environment, type Server, serveFolder } from './servers.ts'

type Backup = 'backup' | 'restore'

/** Runs a measurement on a server with the large database in PostgreSQL, moved by backup and restore. */
export async function onPostgres<Result>(
  { binary, copyData, path }: BenchServers,
  measure: (server: Server & Fixture) => Promise<Result>,
): Promise<Result> {
  const { folder, ...fixture } = await copyData('large')
  const cluster = await startPostgres({ durable: true })
  const env = { DATABASE_URL: cluster.url, CORK_SECRET: 'only-for-the-bench-'.repeat(3) }
  const [file, data] = [path('large.backup'), path('search-postgres')]
  const run = (command: Backup, from: string, more?: Record<string, string>) => {
    const { exitCode, stderr } = Bun.spawnSync([binary, command, file, '--data', from], {
      env: environment(more),
    })
    if (exitCode !== 0) throw new Error(`cork ${command} failed: ${stderr}`)
  }
  try {
    run('backup', folder)
    run('restore', data, env)
    const server = await serveFolder(binary, data, env)
    try {
      await waitUntilTextsIndexed({ ...server, ...fixture })
      await waitUntilIdle(server)
      return await measure({ ...server, ...fixture })
    } finally {
      await server.stop()
    }
  } finally {
    await cluster.stop()
  }
}

/** A restored database has no text index; responses carry a warning until it is complete. */
async function waitUntilTextsIndexed({ url, api_key }: Server & Fixture): Promise<void> {
  for (;;) {
    const path = '/api/v1/search/tasks?query=account&limit=1'
    const { warnings = [] } = await requestApi(url, api_key, 'GET', path)
    if (!warnings.some(({ code }) => code === 'incomplete')) return
    await Bun.sleep(1000)
  }
}
