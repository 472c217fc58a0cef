import { expect, test } from 'bun:test'
import { Value } from '@sinclair/typebox/value'
import { catalog } from '../../src/catalog.ts'
import { EVENTS, eventSchemas } from '../../src/features/messages/index.ts'
import { queueRuns } from '../../src/features/runs/index.ts'
import type { Fault } from '../../src/kernel/fault.ts'
import { append, type LoggedChange } from '../../src/store/log.ts'
import { samples } from '../samples.ts'
import { type Actor, type World, world } from '../world.ts'

/** Reads all messages of an agent, page by page. */
async function toldTo(agent: Actor) {
  const all = []
  let cursor: string | undefined
  do {
    const { items, page } = await agent['messages.list']({ limit: 50, ...(cursor && { cursor }) })
    all.push(...items)
    cursor = page.next_cursor ?? undefined
  } while (cursor)
  return all
}

/** Runs every operation as the owner, except those on messages, teams and agents. */
async function everything(w: World) {
  for (const { name } of catalog) {
    // The agent must stay active and in the team to receive the messages of the others.
    if (/^(messages|teams|agents)\./.test(name)) continue
    const input = await Promise.resolve(samples[name]?.(w)).catch((error: Fault) => error.code)
    if (typeof input === 'string') continue
    const act = w.ada[name] as (input: unknown) => Promise<unknown>
    await act(input ?? {}).catch((error: Fault) => expect(error.code).not.toBe('internal'))
  }
}

async function followed({ store }: World, changes: readonly LoggedChange[]) {
  await store.write((tx) => queueRuns(tx, changes))
}

test('the messages of all operations match the schemas of their events, and every event occurs', async () => {
  const w = await world()
  const { ada, bot, tasks, board } = w
  const agent_id = bot.caller.agent_id!
  await toldTo(bot)
  const task = await ada['tasks.create']({ project_id: board.project_id, title: 'For the bot' })
  const about = { task_id: task.task_id }
  const { comment_id } = await bot['comments.add']({ ...about, text: 'Mine' })
  await ada['comments.react']({ comment_id, emoji: '🎉' })
  await ada['comments.unreact']({ comment_id, emoji: '🎉' })
  const mentions = [{ agent_id, display_name: 'Bot' }]
  await ada['comments.add']({ ...about, text: `@Bot ${'long '.repeat(1000)}`, mentions })
  await ada['tasks.update']({ ...tasks.copy, title: 'x'.repeat(200), priority: 'Low' })
  await ada['tasks.assign']({ ...about, agent_id })
  await ada['tasks.assign']({ ...about, agent_id, intent: 'unassign' })
  await followed(w, await w.changes())
  const { run_id } = await ada['runs.create']({ ...tasks.logo, agent_id, prompt: 'Draw' })
  await ada['runs.prompt']({ run_id, text: 'In red' })
  await ada['runs.stop']({ run_id, reason: 'Enough' })
  await everything(w)
  const all = await toldTo(bot)
  const wrong = all.flatMap((message) => [
    ...Value.Errors(eventSchemas[message.type].body, message),
  ])
  expect(wrong.map(({ path, message }) => `${path}: ${message}`)).toEqual([])
  const heard = new Set(all.map(({ type }) => type))
  expect(EVENTS.filter((name) => !heard.has(name))).toEqual([])
  for (const message of all) expect(JSON.stringify(message).length).toBeLessThan(20_000)
  expect(all.map(({ data }) => data.origin)).toContain('mentioned')
}, 60_000)

test('a long text of a logged change is truncated to 2000 characters in its message', async () => {
  const w = await world()
  const { bot, ada, board, team_id, tasks, store } = w
  await toldTo(bot)
  const place = { team_id, project_id: board.project_id, task_id: tasks.logo.task_id }
  const long = `${'y'.repeat(1998)}😀${'z'.repeat(50)}`
  const data = { ticket_number: 'HP-1', changed: ['a'], before: { a: null }, after: { a: long } }
  await store.write((tx) =>
    append(tx, ada.caller, w.clock.now, [
      { type: 'task.updated', place, data },
      { type: 'task.assigned', place: {}, data: {} },
    ]),
  )
  const [message, ...others] = await toldTo(bot)
  expect(others).toEqual([])
  const { a } = message!.data.after as { a: string }
  expect(a.length).toBeLessThanOrEqual(2000)
  expect(a.endsWith('y\uFFFD…')).toBe(true)
  expect([...Value.Errors(eventSchemas['task.updated'].body, message)]).toEqual([])
})

test('the OpenAPI document describes every event with the schema of its body', async () => {
  const { http } = await world()
  const { webhooks } = (await http(undefined, 'GET', '/docs/json')).body
  expect(Object.keys(webhooks).sort()).toEqual([...EVENTS].sort())
  for (const name of EVENTS) {
    const { schema } = webhooks[name].post.requestBody.content['application/json']
    expect(schema.properties.type).toMatchObject({ const: name })
    expect(schema.required).toContain('data')
  }
})
