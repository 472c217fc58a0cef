import { expect, test } from 'bun:test'
import { Value } from '@sinclair/typebox/value'
import { catalog } from '../../../../src/catalog.ts'
import { EVENTS, eventSchemas } from '../../../../src/features/agents/messages/model/index.ts'
import { queueRuns } from '../../../../src/features/agents/runs/model/index.ts'
import type { Fault } from '../../../../src/kernel/fault.ts'
import { append, type LoggedChange } from '../../../../src/store/log.ts'
import { sampleInput } from '../../../support/samples.ts'
import { type Actor, type World, world } from '../../../support/world.ts'

/** Reads all messages of an agent, page by page. */
async function readMessages(agent: Actor) {
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
async function runAllOperations(w: World) {
  for (const { name } of catalog) {
    // The agent must stay active and in the team to receive the messages of the others.
    if (/^(messages|teams|agents)\./.test(name)) continue
    const input = await sampleInput(name, w).catch((error: Fault) => error.code)
    if (typeof input === 'string') continue
    const operation = w.ada[name] as (input: unknown) => Promise<unknown>
    await operation(input).catch((error: Fault) => expect(error.code).not.toBe('internal'))
  }
}

async function queueRunsFor({ store }: World, changes: readonly LoggedChange[]) {
  await store.write((tx) => queueRuns(tx, changes))
}

test('the messages of all operations match the schemas of their events, and every event occurs', async () => {
  const w = await world()
  const { ada, bot, tasks, board } = w
  const agent_id = bot.caller.agent_id!
  await readMessages(bot)
  const task = await ada['tasks.create']({ project_id: board.project_id, title: 'For the bot' })
  const taskRef = { task_id: task.task_id }
  const { comment_id } = await bot['comments.add']({ ...taskRef, text: 'Mine' })
  await ada['comments.react']({ comment_id, emoji: '🎉' })
  await ada['comments.unreact']({ comment_id, emoji: '🎉' })
  const mentions = [{ agent_id, display_name: 'Bot' }]
  await ada['comments.add']({ ...taskRef, text: `@Bot ${'long '.repeat(1000)}`, mentions })
  await ada['tasks.update']({ ...tasks.copy, title: 'x'.repeat(200), priority: 'Low' })
  await ada['tasks.assign']({ ...taskRef, agent_id })
  await ada['tasks.assign']({ ...taskRef, agent_id, intent: 'unassign' })
  await queueRunsFor(w, await w.changes())
  const { run_id } = await ada['runs.create']({ ...tasks.logo, agent_id, prompt: 'Draw' })
  await ada['runs.prompt']({ run_id, text: 'In red' })
  await ada['runs.stop']({ run_id, reason: 'Enough' })
  await runAllOperations(w)
  const all = await readMessages(bot)
  const errors = all.flatMap((message) => [
    ...Value.Errors(eventSchemas[message.type].body, message),
  ])
  expect(errors.map(({ path, message }) => `${path}: ${message}`)).toEqual([])
  const receivedTypes = new Set(all.map(({ type }) => type))
  expect(EVENTS.filter((name) => !receivedTypes.has(name))).toEqual([])
  for (const message of all) expect(JSON.stringify(message).length).toBeLessThan(20_000)
  expect(all.map(({ data }) => data.origin)).toContain('mentioned')
})

test('a long text of a logged change is truncated to 2000 characters in its message', async () => {
  const w = await world()
  const { bot, ada, board, team_id, tasks, store } = w
  await readMessages(bot)
  const place = { team_id, project_id: board.project_id, task_id: tasks.logo.task_id }
  const long = `${'y'.repeat(1998)}😀${'z'.repeat(50)}`
  const data = { ticket_number: 'HP-1', changed: ['a'], before: { a: null }, after: { a: long } }
  await store.write((tx) =>
    append(tx, ada.caller, w.clock.now, [
      { type: 'task.updated', place, data },
      { type: 'task.assigned', place: {}, data: {} },
    ]),
  )
  const [message, ...rest] = await readMessages(bot)
  expect(rest).toEqual([])
  const { a } = message!.data.after as { a: string }
  expect(a.length).toBeLessThanOrEqual(2000)
  expect(a.endsWith('y\uFFFD…')).toBe(true)
  expect([...Value.Errors(eventSchemas['task.updated'].body, message)]).toEqual([])
})

test('the OpenAPI document describes every event with the schema of its body', async () => {
  const { http } = await world()
  const { webhooks, components } = (await http(undefined, 'GET', '/openapi.json')).body
  expect(Object.keys(webhooks).sort()).toEqual([...EVENTS].sort())
  for (const name of EVENTS) {
    const { schema } = webhooks[name].post.requestBody.content['application/json']
    const body = components.schemas[schema.$ref.replace('#/components/schemas/', '')]
    expect(body.properties.type).toMatchObject({ const: name })
    expect(body.required).toContain('data')
  }
})
