import { afterAll, expect, test } from 'bun:test'
import { cleanUp, createFolder } from '../binary/cork.ts'
import { waitUntil } from '../support/wait.ts'
import { listeningWorld } from '../surfaces/oauth/listening-world.ts'
import { consent } from '../surfaces/oauth/oauth-client.ts'

afterAll(cleanUp)

const AUTHORIZE = /http\S+\/oauth\/authorize\S+/

/** The Inspector lists the tools once its person has allowed it. It listens for the answer itself. */
function startInspector(url: string) {
  const command = ['node', 'node_modules/.bin/mcp-inspector', '--cli', url]
  const settings = { HOME: createFolder(), MCP_AUTO_OPEN_ENABLED: 'true' }
  return Bun.spawn([...command, '--method', 'tools/list', '--format', 'json'], {
    ...{ stdout: 'pipe', stderr: 'pipe' },
    env: { ...process.env, ...settings },
  })
}

async function collect(stream: ReadableStream<Uint8Array>, texts: string[]) {
  const decoder = new TextDecoder()
  for await (const chunk of stream) texts.push(decoder.decode(chunk, { stream: true }))
}

test('the MCP Inspector connects by URL alone', async () => {
  const w = await listeningWorld()
  const inspector = startInspector(`${w.base}/mcp`)
  const messages: string[] = []
  void collect(inspector.stderr, messages)
  await waitUntil(() => AUTHORIZE.test(messages.join('')))
  const { pathname, search } = new URL(AUTHORIZE.exec(messages.join(''))![0])
  const { headers } = await consent(w.browser, pathname + search)
  expect((await fetch(headers.get('location')!)).status).toBe(200)
  const { result } = JSON.parse(await new Response(inspector.stdout).text())
  expect(result.tools.map(({ name }: { name: string }) => name)).toContain('svc_tasks')
}, 60_000)
