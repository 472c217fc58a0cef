import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cleanUp, createFolder } from '../binary/cork.ts'
import { askToDecide } from '../support/answers.ts'
import {
  everything,
  mentionBen,
  queueAll,
  startChannelWorker,
  worldWithChannels,
} from '../support/channels.ts'
import { waitUntil } from '../support/wait.ts'
import { startNtfy } from './ntfy.ts'

let ntfy: Awaited<ReturnType<typeof startNtfy>>
beforeAll(async () => {
  ntfy = await startNtfy(createFolder())
}, 600_000)
afterAll(async () => {
  await ntfy?.stop()
  cleanUp()
})

const firstMessageOf = async (topic: string) =>
  (await waitUntil(async () => (await ntfy.messagesOf(topic))[0]))!

test('a phone that is subscribed to the topic gets a mention, with a link to the task', async () => {
  const w = await worldWithChannels()
  const { url, token } = ntfy
  const channel = { kind: 'ntfy', url, topic: 'mentions', token } as const
  await w.ben['channels.create']({ ...channel, ...everything })
  startChannelWorker(w)
  await mentionBen(w)
  expect(await firstMessageOf('mentions')).toMatchObject({
    ...{ title: 'Ada mentioned you', priority: 4 },
    message: expect.stringContaining('look at this'),
    click: expect.stringMatching(/\/t\/HP-2/),
  })
})

test('a button of the message answers a decision request, as the phone sends it', async () => {
  const w = await worldWithChannels()
  const { url, token } = ntfy
  const channel = { kind: 'ntfy', url, topic: 'decisions', token } as const
  await w.ben['channels.create']({ ...channel, ...everything })
  startChannelWorker(w)
  const { decision_request_id } = await askToDecide(w, w.ben)
  await queueAll(w)
  const { actions, tags } = await firstMessageOf('decisions')
  expect(tags).toEqual(['question'])
  expect(actions!.map(({ action, label, method }) => [action, label, method])).toEqual([
    ['http', 'Yes', 'POST'],
    ['http', 'No', 'POST'],
  ])
  const { pathname } = new URL(actions![0]!.url)
  const headers = { accept: 'application/json' }
  expect((await w.http(undefined, 'POST', pathname, '', headers)).status).toBe(200)
  expect(await w.ada['decision_requests.get']({ decision_request_id })).toMatchObject({
    ...{ status: 'answered', selected_option: 'Yes' },
    closed_by: { user_id: w.ben.caller.actor_id },
  })
})

test('the channel says that ntfy refuses a wrong token', async () => {
  const w = await worldWithChannels()
  const channel = { kind: 'ntfy', url: ntfy.url, topic: 'mentions', token: 'tk_wrong' } as const
  const { channel_id } = await w.ben['channels.create'](channel)
  const result = await w.ben['channels.test']({ channel_id })
  expect(result).toMatchObject({ sent: false, status: 401 })
})
