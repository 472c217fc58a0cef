import { expect, test } from 'bun:test'
import { createServer, type ServerResponse } from 'node:http'
import { channelDeliveries } from '../../src/features/inbox/channels/model/index.ts'
import { notifications } from '../../src/features/inbox/notifications/model/index.ts'
import { append } from '../../src/store/log.ts'
import { everything, queueAll, startChannelWorker, worldWithChannels } from '../support/channels.ts'
import { addCleanup } from '../support/database.ts'
import { isFull, scaleCount, seed } from '../support/scale.ts'
import type { Actor, World } from '../support/world.ts'

const COUNT = scaleCount(150, 10_000)
const BATCH = 100
/**
 * Much longer than a response takes on a busy machine: a message whose response comes too late is
 * sent again. So only a few responses never come.
 */
const TIMEOUT_MS = 6000
const MAX_HANGING = scaleCount(2, 20)
const MAX_STEP_MS = 5000

/** A receiver that fails in 3 of 10 requests: an error, a reset connection or no response. */
async function faultyReceiver() {
  const delivered: string[] = []
  let state = seed
  let hanging = 0
  const nextPercent = () => {
    state = (state * 48_271) % 2_147_483_647
    return state % 100
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const percent = nextPercent()
    const hangs = percent >= 28 && percent < 30 && hanging++ < MAX_HANGING
    if (!hangs && !fails(response, percent)) {
      const [, text] = JSON.parse(Buffer.concat(chunks).toString()).data.body.split('\n')
      // The people of the world have some notifications without a text, too.
      if (text) delivered.push(text)
      response.writeHead(204).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  addCleanup(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as { port: number }
  return { url: `http://127.0.0.1:${port}/hook`, delivered }
}

function fails(response: ServerResponse, percent: number): boolean {
  if (percent < 12) response.writeHead(percent < 6 ? 500 : 502).end('a failure')
  else if (percent < 30) response.socket!.destroy()
  return percent < 30
}

/** Notifications of these people, each with its number as the text. */
async function notifyMany(w: World, people: readonly Actor[]) {
  const { team_id, tasks } = w
  const { task_id } = tasks.copy
  for (let from = 0; from < COUNT; from += BATCH)
    await w.store.write(async (tx) => {
      for (let number = from; number < Math.min(from + BATCH, COUNT); number++) {
        const { actor_id } = people[number % people.length]!.caller
        const values = { team_id, actor_id, task_id, kind: 'mentioned' as const, important: true }
        const [row] = await tx
          .insert(notifications)
          .values({
            ...{ ...values, priority: 0, by_id: w.ada.caller.actor_id },
            ...{ snippet: `n${number}`, created_at: w.clock.now },
          })
          .returning({ notification_id: notifications.notification_id })
        const data = { ...row!, kind: 'mentioned', task_id }
        await append(tx, { actor_id }, w.clock.now, [
          { type: 'notification.created', place: {}, data },
        ])
      }
    })
}

/**
 * Advances the clock towards the next attempt while nothing is being sent. Its steps are shorter than
 * a claim, so that none expires that begins meanwhile. Returns what is left.
 */
async function advance(w: World): Promise<number> {
  const rows = await w.store.read((tx) => tx.select().from(channelDeliveries))
  const isSending = rows.some(({ claimed_until }) => claimed_until !== null)
  const next = Math.min(...rows.map(({ due_at }) => due_at.getTime()))
  const now = w.clock.now.getTime()
  if (rows.length && !isSending && next > now) w.clock.advance(Math.min(next - now, MAX_STEP_MS))
  return rows.length
}

test(
  'of notifications to a receiver that often fails none is lost or repeated, also across restarts',
  async () => {
    const receiver = await faultyReceiver()
    const w = await worldWithChannels()
    const people = [w.ada, w.ben, w.cleo]
    for (const person of people)
      await person['channels.create']({ kind: 'webhook', url: receiver.url, ...everything })
    await notifyMany(w, people)
    await queueAll(w)
    let stop = startChannelWorker(w, { timeout: TIMEOUT_MS })
    let restarts = 0
    for (let left = COUNT; left > 0; left = await advance(w)) {
      await Bun.sleep(20)
      if (left > COUNT * (0.75 - restarts * 0.25)) continue
      restarts += 1
      await stop()
      stop = startChannelWorker(w, { timeout: TIMEOUT_MS })
    }
    expect(restarts).toBe(3)
    const expected = Array.from({ length: COUNT }, (_, number) => `n${number}`)
    expect(receiver.delivered.toSorted()).toEqual(expected.toSorted())
  },
  isFull ? 900_000 : 120_000,
)
