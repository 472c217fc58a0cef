import { expect, test } from 'bun:test'
import { Webhook } from 'standardwebhooks'
import {
  appriseService,
  discordService,
  mattermostService,
  ntfyService,
  pushService,
  type Service,
  slackService,
} from '../../../support/channel-servers.ts'
import {
  everything,
  mentionBen,
  queueAll,
  requestDecision,
  startChannelWorker,
  worldWithChannels,
} from '../../../support/channels.ts'
import { waitUntil } from '../../../support/wait.ts'
import { webhookServer } from '../../../support/webhook-server.ts'
import type { Actor, World } from '../../../support/world.ts'

type NewChannel = Parameters<Actor['channels.create']>[0]

/** Ben's channel gets a mention. Returns what the service received. */
async function mentionArrives<T>(
  service: Service<T>,
  channel: Omit<NewChannel, 'events'>,
  text?: string,
): Promise<{ w: World; message: T }> {
  const w = await worldWithChannels()
  await w.ben['channels.create']({ ...channel, ...everything })
  startChannelWorker(w)
  await mentionBen(w, text)
  await waitUntil(() => service.messages.length > 0 || service.refused.length > 0)
  expect(service.refused).toEqual([])
  return { w, message: service.messages[0]! }
}

test('Slack gets blocks within its limits, and no text mentions a channel', async () => {
  const slack = slackService()
  const { message } = await mentionArrives(
    slack,
    { kind: 'slack', url: `${slack.url}/services/x` },
    '<!channel> & <@U1>',
  )
  expect(message.blocks[0]!.text!.text).toMatch(
    /^\*<http:\/\/localhost\/t\/HP-2#comment-\d+\|Ada mentioned you>\*$/,
  )
  expect(message.blocks[1]!.text!.text).toStartWith('HP-2 Write the copy\n')
  expect(message.blocks[1]!.text!.text).toContain('&lt;!channel&gt; &amp; &lt;@U1&gt;')
})

test('Discord gets an embed that mentions nobody', async () => {
  const discord = discordService()
  const { message } = await mentionArrives(
    discord,
    { kind: 'discord', url: `${discord.url}/api/webhooks/1/x` },
    '@everyone',
  )
  expect(message.embeds[0]).toMatchObject({
    title: 'Ada mentioned you',
    description: 'HP-2 Write the copy\n@Ben @everyone',
    url: expect.stringContaining('/t/HP-2#comment-'),
  })
})

test('Mattermost gets an attachment whose text mentions nobody', async () => {
  const mattermost = mattermostService()
  const { message } = await mentionArrives(
    mattermost,
    { kind: 'mattermost', url: `${mattermost.url}/hooks/x` },
    '@all of you',
  )
  expect(message.attachments[0]).toMatchObject({
    title: 'Ada mentioned you',
    title_link: expect.stringContaining('/t/HP-2#comment-'),
  })
})

test('ntfy gets JSON at its root, with the token and a higher priority for what is important', async () => {
  const ntfy = ntfyService('tk_secret')
  const channel = { kind: 'ntfy', url: `${ntfy.url}/`, topic: 'ben', token: 'tk_secret' } as const
  const { w, message } = await mentionArrives(ntfy, channel)
  expect(message).toMatchObject({ topic: 'ben', title: 'Ada mentioned you', priority: 4 })
  await requestDecision(w)
  await waitUntil(() => ntfy.messages.length > 1)
  expect(ntfy.messages[1]).toMatchObject({
    title: 'Ada asks you to decide',
    message: 'HP-2 Write the copy\nShip it?',
    tags: ['question'],
    actions: ['Yes', 'No'].map((label) => ({
      ...{ action: 'http', method: 'POST', label },
      url: expect.stringContaining('/answers/'),
    })),
  })
})

test('Apprise gets the urls and tags with each message', async () => {
  const apprise = appriseService()
  const { message } = await mentionArrives(apprise, {
    ...{ kind: 'apprise', url: `${apprise.url}/notify/`, urls: 'tgram://token/chat', tags: 'me' },
  })
  expect(message).toMatchObject({
    ...{ title: 'Ada mentioned you', type: 'warning', urls: 'tgram://token/chat', tag: 'me' },
    body: expect.stringContaining('HP-2 Write the copy'),
  })
})

test('a webhook is signed as Standard Webhooks say, with the secret that was shown once', async () => {
  const endpoint = webhookServer()
  const w = await worldWithChannels()
  const { secret } = await w.ben['channels.create']({
    ...{ kind: 'webhook', url: endpoint.url, ...everything },
  })
  expect(JSON.stringify(await w.ben['channels.list']({}))).not.toContain(secret!.slice(6))
  startChannelWorker(w)
  await mentionBen(w)
  await waitUntil(() => endpoint.requests.length > 0)
  const [{ text, headers, body }] = endpoint.requests as [(typeof endpoint.requests)[0]]
  expect(body).toMatchObject({
    ...{ id: headers['webhook-id'], type: 'notification.mentioned' },
    data: { kind: 'mentioned', title: 'Ada mentioned you', important: true, actions: [] },
  })
  const signed = new Webhook(secret!).sign(
    headers['webhook-id']!,
    new Date(Number(headers['webhook-timestamp']) * 1000),
    text,
  )
  expect(headers['webhook-signature']).toBe(signed)
})

test('after a rotation a webhook is signed with both secrets for a day, then with the new one', async () => {
  const endpoint = webhookServer()
  const w = await worldWithChannels()
  const { channel_id, secret } = await w.ben['channels.create']({
    ...{ kind: 'webhook', url: endpoint.url, ...everything },
  })
  const rotated = await w.ben['channels.rotate']({ channel_id })
  expect(rotated.secret).not.toBe(secret!)
  startChannelWorker(w)
  await mentionBen(w)
  await waitUntil(() => endpoint.requests.length > 0)
  w.clock.advance(24 * 60 * 60 * 1000)
  await mentionBen(w)
  await waitUntil(() => endpoint.requests.length > 1)
  const signers = endpoint.requests.map(({ text, headers }) =>
    [rotated.secret, secret!].filter((one) => {
      const at = new Date(Number(headers['webhook-timestamp']) * 1000)
      const signature = new Webhook(one).sign(headers['webhook-id']!, at, text)
      return headers['webhook-signature']!.split(' ').includes(signature)
    }),
  )
  expect(signers).toEqual([[rotated.secret, secret!], [rotated.secret]])
  const ntfy = { kind: 'ntfy', url: 'https://ntfy.sh', topic: 'ben' } as const
  const other = await w.ben['channels.create'](ntfy)
  const refusal = w.ben['channels.rotate']({ channel_id: other.channel_id })
  await expect(refusal).rejects.toThrow('have a secret')
})

test('a browser gets an encrypted message from the server that it subscribed to', async () => {
  const push = await pushService()
  const { w, message } = await mentionArrives(push, { kind: 'push', ...push.subscription })
  expect(message).toMatchObject({
    ...{ title: 'Ada mentioned you', body: 'HP-2 Write the copy\n@Ben look at this', badge: 1 },
    ...{ url: expect.stringContaining('/t/HP-2#comment-'), actions: [] },
  })
  const { push_public_key } = await w.ben['notification_settings.get']({})
  expect(push.sent[0]).toMatchObject({ publicKey: push_public_key, headers: { urgency: 'high' } })
})

test('a browser that somebody else signs in to shows the notifications of that person only', async () => {
  const push = await pushService()
  const { w } = await mentionArrives(push, { kind: 'push', ...push.subscription })
  const { address_hash } = await w.cleo['channels.create']({ kind: 'push', ...push.subscription })
  expect(address_hash).toBe(Bun.CryptoHasher.hash('sha256', push.subscription.url, 'hex'))
  expect((await w.ben['channels.list']({})).items).toEqual([])
  await mentionBen(w, 'again')
  await Bun.sleep(200)
  expect(push.messages).toHaveLength(1)
})

test('a shared channel reports the chosen events of its board, and of no other', async () => {
  const slack = slackService()
  const w = await worldWithChannels()
  const { project_id } = w.board
  await w.ada['channels.create']({
    ...{ kind: 'slack', url: `${slack.url}/services/x`, project_id },
    events: ['task_created', 'task_moved', 'task_completed', 'comment'],
  })
  const other = await w.ada['projects.create']({
    ...{ title: 'Other', team_id: w.team_id, sections: [{ title: 'Inbox' }] },
  })
  startChannelWorker(w)
  await w.ben['tasks.create']({ project_id, title: 'Mow the lawn' })
  await w.ben['tasks.create']({ project_id: other.project_id, title: 'Elsewhere' })
  const { task_id } = w.tasks.copy
  await w.ben['tasks.update']({ task_id, section_id: w.sections.Doing })
  w.clock.advance(1000)
  await w.ben['tasks.update']({ task_id, section_id: w.sections.Done })
  await w.ben['comments.add']({ task_id, text: 'All good' })
  await queueAll(w)
  await waitUntil(() => slack.messages.length + slack.refused.length >= 4)
  expect(slack.refused).toEqual([])
  expect(slack.messages.map(({ text }) => text).toSorted()).toEqual([
    'Ben commented: HP-2 Write the copy\nAll good',
    'Ben completed this: HP-2 Write the copy',
    expect.stringMatching(/^Ben created this: HP-\d+ Mow the lawn$/),
    'Ben moved this to Doing: HP-2 Write the copy',
  ])
})
