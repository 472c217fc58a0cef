import { afterAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cleanUp, createFolder, startServer } from './cork.ts'

afterAll(cleanUp)

const WARNING = 'listening on a public interface without HTTPS'

for (const [host, url, isWarned] of [
  ['0.0.0.0', '', true],
  ['0.0.0.0', 'http://board.example.com', true],
  ['0.0.0.0', 'https://board.example.com', false],
  ['127.0.0.1', '', false],
  ['localhost', '', false],
] as const)
  test(`a server on ${host} with CORK_URL=${url} ${isWarned ? 'warns' : 'does not warn'}`, async () => {
    const server = await startServer(createFolder(), {
      args: ['--host', host],
      env: { CORK_URL: url },
    })
    await server.end()
    expect((await server.err()).includes(WARNING)).toBe(isWarned)
  })

test('a start removes partial files and restores whose process is gone', async () => {
  const data = createFolder()
  mkdirSync(join(data, 'files'))
  const part = join(data, 'files', '.part-1234567890-left')
  writeFileSync(part, 'half')
  // A process id above the highest that Linux assigns, and the id of a running process.
  const [dead, ofLive] = [5_000_000, process.pid].map((pid) => join(data, `restore.part-${pid}`))
  for (const path of [dead!, ofLive!]) mkdirSync(path)
  const server = await startServer(data, { env: { DATABASE_URL: '' } })
  expect([part, dead!, ofLive!].map((path) => existsSync(path))).toEqual([false, false, true])
  await server.end()
})
