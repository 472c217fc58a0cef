import { expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { askToDecide } from '../../../support/answers.ts'
import { addCleanup } from '../../../support/database.ts'
import { waitUntil } from '../../../support/wait.ts'
import { type Actor, type World, world } from '../../../support/world.ts'

const SECRET = '8f742231b10e8888abcd99yyyzzz85a5'

/** Stands in for the addresses of Slack that change a message. */
function startSlack() {
  const messages: { replace_original: boolean; text: string }[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      messages.push((await request.json()) as never)
      return new Response('ok')
    },
  })
  addCleanup(() => server.stop(true))
  return { messages, url: `http://127.0.0.1:${server.port}/actions/1` }
}

async function worldWithSlack(owner: 'ben' | 'cleo' = 'ben') {
  const slack = startSlack()
  const w = await world({ env: { CORK_ALLOW_HOSTS: '127.0.0.1' } })
  const { channel_id } = await w[owner]['channels.create']({
    ...{ kind: 'slack', url: slack.url, signing_secret: SECRET },
  })
  return { w, slack, path: `/hooks/slack/${channel_id}` }
}

interface Press {
  value: string
  response_url: string
  /** Seconds since the request was signed. */
  age?: number
  secret?: string
}

/** Presses a button as Slack sends it. */
function press(w: World, path: string, { value, response_url, age = 0, secret = SECRET }: Press) {
  const payload = { type: 'block_actions', response_url, actions: [{ type: 'button', value }] }
  const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString()
  const time = String(Math.floor(w.clock.now.getTime() / 1000) - age)
  const signature = createHmac('sha256', secret).update(`v0:${time}:${body}`).digest('hex')
  return w.http(undefined, 'POST', path, body, {
    'content-type': 'application/x-www-form-urlencoded',
    'x-slack-request-timestamp': time,
    'x-slack-signature': `v0=${signature}`,
  })
}

const statusOf = async (actor: Actor, decision_request_id: number) =>
  (await actor['decision_requests.get']({ decision_request_id })).status

test('a button in Slack answers, and the message shows who answered what', async () => {
  const { w, slack, path } = await worldWithSlack()
  const { paths, decision_request_id } = await askToDecide(w, w.ben)
  const value = `http://localhost${paths[0]}`
  const response_url = slack.url
  expect((await press(w, path, { value, response_url })).status).toBe(200)
  await waitUntil(() => slack.messages.length === 1)
  expect(slack.messages[0]).toEqual({
    replace_original: true,
    text: 'Ship it &lt;today&gt;?\n*Yes* (Ben)',
  })
  expect(await statusOf(w.ada, decision_request_id)).toBe('answered')
  // Pressing another button later changes the message only.
  const other = { value: `http://localhost${paths[1]}`, response_url }
  expect((await press(w, path, other)).status).toBe(200)
  await waitUntil(() => slack.messages.length === 2)
  expect(slack.messages[1]!.text).toContain('*Yes* (Ben)')
})

test('a request that Slack did not sign, or more than five minutes ago, is refused', async () => {
  const { w, slack, path } = await worldWithSlack()
  const { paths, decision_request_id } = await askToDecide(w, w.ben)
  const good = { value: `http://localhost${paths[0]}`, response_url: slack.url }
  for (const refused of [
    await press(w, path, { ...good, secret: 'another' }),
    await press(w, path, { ...good, age: 301 }),
    await press(w, path, { ...good, age: -301 }),
    await press(w, '/hooks/slack/9999', good),
    await press(w, '/hooks/slack/x', good),
    await w.http(undefined, 'POST', path, 'payload=%7B%7D', {
      'content-type': 'application/x-www-form-urlencoded',
    }),
  ])
    expect(refused.status).toBe(401)
  expect(await statusOf(w.ada, decision_request_id)).toBe('pending')
  expect((await press(w, path, { ...good, age: 299 })).status).toBe(200)
})

test('a button answers only in the name of the owner of the channel', async () => {
  const { w, slack, path } = await worldWithSlack('cleo')
  const { paths, decision_request_id } = await askToDecide(w, w.ben)
  const value = `http://localhost${paths[0]}`
  const refused = await press(w, path, { value, response_url: slack.url })
  expect(refused.status).toBe(404)
  expect(await statusOf(w.ada, decision_request_id)).toBe('pending')
  expect(slack.messages).toEqual([])
})

test('the press of a button that only opens a page is accepted and changes nothing', async () => {
  const { w, slack, path } = await worldWithSlack()
  const before = await w.changeTypes()
  expect((await press(w, path, { value: '', response_url: slack.url })).status).toBe(200)
  expect(await w.changeTypes()).toEqual(before)
})
