import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { type BoardServer, startBoardServer } from '../binary/board-server.ts'
import { cleanUp, createFolder } from '../binary/cork.ts'
import { freePort } from '../keycloak/free-port.ts'
import { expectEventually } from '../support/wait.ts'
import { startN8n } from './n8n.ts'

/** The workflow of the manual, as it is written there. */
const page = await Bun.file(join(import.meta.dir, '../../docs/webhooks.md')).text()
const recipe = /```json\n([\s\S]*?)```/.exec(page.slice(page.indexOf('### n8n')))![1]!

let board: BoardServer
let n8n: Awaited<ReturnType<typeof startN8n>>
/** The production URL of the first node of the workflow. */
let url = ''
let webhook_id = 0
let secret = ''

beforeAll(async () => {
  board = await startBoardServer({ CORK_ALLOW_HOSTS: '127.0.0.1' })
  const port = await freePort()
  url = `http://127.0.0.1:${port}/webhook/corkboard`
  const { project_id } = board
  const { body } = await board.http('POST', '/api/v1/webhooks', {
    body: { project_id, url, events: ['task.created'] },
  })
  ;({ webhook_id, secret } = body.data)
  const workflow = JSON.parse(
    recipe.replace('whsec_…', secret).replace('https://tasks.example.com', board.url),
  )
  n8n = await startN8n(createFolder(), { port, workflow, authorization: `Bearer ${board.apiKey}` })
}, 900_000)
afterAll(async () => {
  await n8n?.stop()
  await board?.close()
  cleanUp()
})

const commentsOn = async (ticket_number: string): Promise<string[]> =>
  (await board.http('GET', `/api/v1/tasks/${ticket_number}/comments`)).body.data.map(
    ({ text }: { text: string }) => text.replace(/<[^>]*>/g, ''),
  )

const writeWebhook = async (method: string, path: string, fields: object) => {
  const body = { project_id: board.project_id, ...fields }
  const answer = await board.http(method, `/api/v1/webhooks/${webhook_id}${path}`, { body })
  expect(answer.status).toBe(200)
}

/** The deliveries that succeeded. Others are refused while n8n still starts, and repeated. */
const deliveries = async (): Promise<{ delivery_id: string }[]> => {
  const path = `/api/v1/webhooks/${webhook_id}/deliveries?project_id=${board.project_id}`
  const { data } = (await board.http('GET', path)).body
  return data.filter(({ status }: { status: number | null }) => status === 200)
}

test('the workflow of the manual comments on a new task, once for each message', async () => {
  const { ticket_number } = await board.createTask({ title: 'Paint the “blue” fence' })
  const comment = 'n8n knows “Paint the “blue” fence”'
  await expectEventually(() => commentsOn(ticket_number), [comment])
  await expectEventually(async () => (await deliveries()).length, 1)
  const [delivery] = await deliveries()
  const { delivery_id } = delivery!
  await writeWebhook('POST', '/replay', { delivery_id })
  await expectEventually(async () => (await deliveries()).length, 2)
  expect(await commentsOn(ticket_number)).toEqual([comment])
})

test('a request with a forged, a missing or an old signature changes nothing', async () => {
  await writeWebhook('PATCH', '', { active: false })
  const { ticket_number } = await board.createTask({ title: 'Steal the fence' })
  const body = JSON.stringify({ id: 'msg_1', data: { task: { ticket_number, title: 'Ha' } } })
  const sign = (secret: string, at: Date) => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
  })
  const send = async (headers: Record<string, string>) => {
    const type = { 'content-type': 'application/json' }
    const answer = await fetch(url, { method: 'POST', body, headers: { ...type, ...headers } })
    return answer.status
  }
  const other = `whsec_${Buffer.from('a secret that nobody shared with n8n').toString('base64')}`
  expect(await send(sign(other, new Date()))).toBe(500)
  expect(await send({})).toBe(500)
  expect(await send(sign(secret, new Date(Date.now() - 3_600_000)))).toBe(500)
  expect(await commentsOn(ticket_number)).toEqual([])
  // The same request with a valid signature is accepted, so it was the signature that counted.
  expect(await send(sign(secret, new Date()))).toBe(200)
  expect(await commentsOn(ticket_number)).toEqual(['n8n knows “Ha”'])
})
