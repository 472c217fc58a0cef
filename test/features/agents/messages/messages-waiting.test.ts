import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { credentials, hashOf } from '../../../../src/features/identity/credentials/model/index.ts'
import { faultOf } from '../../../support/faults.ts'
import { type World, world } from '../../../support/world.ts'

const OWN = '/api/v1/agents/self/messages'

async function worldWithPolling() {
  const w = await world()
  await w.bot['messages.list']({})
  const create = (title: string) => w.ada['tasks.create']({ project_id: w.board.project_id, title })
  return { ...w, create }
}

/** Resolves to the value and the time that it took. */
async function measure<T>(promise: Promise<T>) {
  const startedAt = performance.now()
  const value = await promise
  return { value, ms: performance.now() - startedAt }
}

const poll = (w: World, seconds: number) => measure(w.bot['messages.list']({ wait: seconds }))

test('a waiting poll returns as soon as there is a new message', async () => {
  const w = await worldWithPolling()
  const waiting = poll(w, 20)
  await Bun.sleep(150)
  const startedAt = performance.now()
  await w.create('News')
  const { value } = await waiting
  expect(performance.now() - startedAt).toBeLessThan(10_000)
  expect(value.items.map(({ data }) => data.title)).toEqual(['News'])
  const { value: again, ms } = await poll(w, 20)
  expect(again.items).toHaveLength(1)
  expect(ms).toBeLessThan(10_000)
})

test('a waiting poll ends when its time is over, and unrelated changes do not end it early', async () => {
  const w = await worldWithPolling()
  const { bot, otto, otherTeamId, board } = w
  const foreignBoard = await otto['projects.create']({
    ...{ team_id: otherTeamId, title: 'Away', sections: [{ title: 'To do' }] },
  })
  const waiting = poll(w, 1)
  for (let n = 0; n < 5; n++) {
    await Bun.sleep(100)
    await otto['tasks.create']({ project_id: foreignBoard.project_id, title: 'Far' })
    await bot['tasks.create']({ project_id: board.project_id, title: 'Own' })
  }
  const { value, ms } = await waiting
  expect(value.items).toEqual([])
  expect(value.page).toMatchObject({ total: 0, has_more: false })
  expect(ms).toBeGreaterThan(900)
})

test('a stopping server answers waiting polls at once and closes the connection', async () => {
  const w = await worldWithPolling()
  const waiting = measure(w.http(w.bot, 'GET', `${OWN}?wait=30`))
  await Bun.sleep(100)
  w.gateway.close()
  const { value, ms } = await waiting
  expect(value.status).toBe(200)
  expect(value.body).toMatchObject({ data: [], page: { has_more: false } })
  expect(value.headers.get('connection')).toBe('close')
  expect(ms).toBeLessThan(10_000)
})

test('a waiting poll ends when its client disconnects', async () => {
  const w = await worldWithPolling()
  const controller = new AbortController()
  const request = new Request(`http://localhost${OWN}?wait=30`, {
    headers: { authorization: `Bearer ${w.bot.secret}` },
    signal: controller.signal,
  })
  const waiting = measure(w.app.handle(request))
  await Bun.sleep(100)
  controller.abort()
  expect((await waiting).ms).toBeLessThan(10_000)
})

test('a waiting poll is refused when its token is revoked meanwhile, and returns no message', async () => {
  const w = await worldWithPolling()
  const waiting = faultOf(w.bot['messages.list']({ wait: 20 }))
  await Bun.sleep(100)
  await w.store.write((tx) =>
    tx
      .update(credentials)
      .set({ revoked_at: w.clock.now })
      .where(eq(credentials.hash, hashOf(w.bot.secret))),
  )
  await w.create('Secret')
  expect((await waiting).code).toBe('unauthenticated')
})
