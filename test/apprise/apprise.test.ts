import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cleanUp, createFolder } from '../binary/cork.ts'
import { startService } from '../support/channel-servers.ts'
import {
  everything,
  mentionBen,
  startChannelWorker,
  worldWithChannels,
} from '../support/channels.ts'
import { waitUntil } from '../support/wait.ts'
import { startApprise } from './apprise.ts'

let apprise: Awaited<ReturnType<typeof startApprise>>
beforeAll(async () => {
  apprise = await startApprise(createFolder())
}, 600_000)
afterAll(async () => {
  await apprise?.stop()
  cleanUp()
})

interface JsonNotification {
  title: string
  message: string
  type: string
}

/** A service that Apprise sends JSON to, with its address for Apprise. */
function startTarget() {
  const service = startService(
    ({ bytes }) => JSON.parse(new TextDecoder().decode(bytes)) as JsonNotification,
  )
  return { ...service, address: service.url.replace('http:', 'json:') }
}

const mention = {
  title: 'Ada mentioned you',
  type: 'warning',
  message: expect.stringMatching(/HP-2 Write the copy[\s\S]*\/t\/HP-2/),
}

test('a notification reaches the addresses of the channel', async () => {
  const target = startTarget()
  const w = await worldWithChannels()
  const url = `${apprise.url}/notify/`
  await w.ben['channels.create']({ kind: 'apprise', url, urls: target.address, ...everything })
  startChannelWorker(w)
  await mentionBen(w)
  await waitUntil(() => target.messages.length > 0)
  expect(target.messages).toMatchObject([mention])
})

test('a notification reaches the addresses that Apprise stores under a key, by their tags', async () => {
  const [phone, laptop] = [startTarget(), startTarget()]
  await apprise.store('lantern', `phone=${phone.address}\nlaptop=${laptop.address}`)
  const w = await worldWithChannels()
  const url = `${apprise.url}/notify/lantern`
  await w.ben['channels.create']({ kind: 'apprise', url, tags: 'phone', ...everything })
  startChannelWorker(w)
  await mentionBen(w)
  await waitUntil(() => phone.messages.length > 0)
  expect(phone.messages).toMatchObject([mention])
  expect(laptop.messages).toEqual([])
})

test('the channel says what Apprise answers if no address has the tag', async () => {
  await apprise.store('empty', 'laptop=json://127.0.0.1:9')
  const w = await worldWithChannels()
  const url = `${apprise.url}/notify/empty`
  const { channel_id } = await w.ben['channels.create']({ kind: 'apprise', url, tags: 'phone' })
  const result = await w.ben['channels.test']({ channel_id })
  expect(result).toMatchObject({ sent: false, status: 424 })
})

/** Values of the form that each service demands, for the names in the manual. */
const VALUES: Record<string, string> = {
  BOT_TOKEN: '123456789:AAabcdefghijklmnopqrstuvwxyz0123456',
  CHAT_ID: '12345678',
  WORKFLOW: '643e69f83c8944db8b8a4a4b5a6d7e8f',
  HOST: 'prod-1.westus.logic.azure.com:443',
  SIGNATURE: 'KXbxIZkRqx9j0a3l',
  USER_KEY: 'u'.repeat(30),
  APP_TOKEN: 'a'.repeat(30),
}

test('Apprise knows the service of each address in the manual', async () => {
  const page = readFileSync(join(import.meta.dir, '../../docs/notifications.md'), 'utf8')
  const recipes = page.slice(page.indexOf('## Recipes'))
  const addresses = [...recipes.matchAll(/`([a-z]+:\/\/[^`]+)`/g)].map(([, one]) => one!)
  const services = await apprise.servicesOf(
    addresses
      .filter((one) => !one.startsWith('https:'))
      .map((one) => one.replace(/[A-Z]+(_[A-Z]+)*/g, (name) => VALUES[name] ?? name)),
  )
  expect(services).toEqual([
    ...['Telegram', 'Matrix', 'Power Automate / Workflows (for MSTeams)', 'Gotify', 'Pushover'],
  ])
})
