import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import {
  ElicitRequestSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { root } from '../support/source-files.ts'
import { createTemporaryFolder, removeTemporaryFolders } from '../support/terminal.ts'
import { waitUntil } from '../support/wait.ts'
import { startTestServer } from './test-server.ts'

/** A client of 2025 over stdio has what `POST /mcp` does not carry in its revision. */
let server: Awaited<ReturnType<typeof startTestServer>>
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => {
  server.close()
  removeTemporaryFolders()
})

async function connect(confirm: boolean) {
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: { elicitation: { form: {} } } },
  )
  const questions: string[] = []
  const updates: string[] = []
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    questions.push(params.message)
    return confirm ? { action: 'accept', content: { confirm } } : { action: 'decline' }
  })
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    updates.push(params.uri)
  })
  const env = { PATH: process.env.PATH!, HOME: createTemporaryFolder(), CORK_URL: server.base }
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(root, 'src/main.ts'), 'mcp'],
    env: { ...env, CORK_TOKEN: server.cleo.secret },
  })
  await client.connect(transport)
  return { client, questions, updates }
}

test('a destructive call over stdio takes place only after a person confirms it', async () => {
  for (const confirm of [true, false]) {
    const { client, questions } = await connect(confirm)
    const { comment_id } = await server.cleo['comments.add']({ ticket_number: 'HP-2', text: 'Old' })
    const input = { comment_id }
    const call = { name: 'svc_comments', arguments: { action: 'delete', input } }
    const { isError = false } = await client.callTool(call)
    expect([isError, questions.length]).toEqual([!confirm, 1])
    const { items } = await server.cleo['comments.list']({ ticket_number: 'HP-2' })
    expect(items.some((one) => one.comment_id === comment_id)).toBe(!confirm)
    await client.close()
  }
})

test('a client over stdio is notified of changes of a resource until it unsubscribes', async () => {
  const { client, updates } = await connect(true)
  const [logo, copy] = ['corkboard://tasks/HP-1', 'corkboard://tasks/HP-2']
  await client.subscribeResource({ uri: logo! })
  await client.subscribeResource({ uri: copy! })
  await server.ada['comments.add']({ ticket_number: 'HP-1', text: 'First' })
  await waitUntil(() => updates.includes(logo!))
  await client.unsubscribeResource({ uri: logo! })
  await server.ada['comments.add']({ ticket_number: 'HP-1', text: 'Second' })
  await server.ada['comments.add']({ ticket_number: 'HP-2', text: 'Third' })
  await waitUntil(() => updates.includes(copy!))
  expect(updates.filter((uri) => uri === logo)).toHaveLength(1)
  await expect(client.subscribeResource({ uri: 'corkboard://tasks/HP-99' })).rejects.toThrow(
    'Resource not found',
  )
  await client.close()
})
