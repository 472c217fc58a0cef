import { afterAll, expect, test } from 'bun:test'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { cleanUp, createFolder } from '../binary/cork.ts'
import { type ListeningWorld, listeningWorld } from '../surfaces/oauth/listening-world.ts'
import { consent } from '../surfaces/oauth/oauth-client.ts'
import { oauthBuilds } from './clients.ts'

const MINUTES = 60_000
afterAll(cleanUp)

/** A program of an SDK, which prints a line after each step. */
function startProgram(command: string[], url: string) {
  const program = Bun.spawn([...command, url], { stdin: 'pipe', stdout: 'pipe', stderr: 'ignore' })
  const lines = createInterface({ input: Readable.fromWeb(program.stdout as never) })
  const reader = lines[Symbol.asyncIterator]()
  return {
    read: async (): Promise<string> => (await reader.next()).value ?? '',
    write(line: string) {
      program.stdin.write(`${line}\n`)
      program.stdin.flush()
    },
    async end() {
      program.stdin.end()
      await program.exited
    },
  }
}

/** Allows what the program asks for in the browser of its person. */
async function allow(w: ListeningWorld, line: string): Promise<string> {
  const { pathname, search } = new URL(line.replace(/^open /, ''))
  const { headers } = await consent(w.browser, pathname + search)
  return headers.get('location')!
}

for (const [language, build] of Object.entries(oauthBuilds))
  test(
    `the ${language} SDK connects by URL alone, keeps its access, and loses it when it is revoked`,
    async () => {
      const command = await build(createFolder())
      const w = await listeningWorld()
      const program = startProgram(command, `${w.base}/mcp`)
      program.write(await allow(w, await program.read()))
      expect(await program.read()).toBe('answered')
      program.write('again')
      expect(await program.read()).toBe('answered')
      const [app] = (await w.ada['grants.list']({})).apps
      expect(app).toMatchObject({ name: 'Lantern', agent: { name: 'Lantern' } })
      await w.ada['grants.revoke']({ grant_id: app!.grant_id })
      program.write('again')
      expect(await program.read()).not.toBe('answered')
      await program.end()
    },
    10 * MINUTES,
  )
