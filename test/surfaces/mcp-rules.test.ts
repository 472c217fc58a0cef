import { afterAll, beforeAll, expect, test } from 'bun:test'
import { TRIGGER_NAMES } from '../../src/kernel/board-rules.ts'
import { runRules } from '../support/rules.ts'
import { connectHttp, connectNewest } from './mcp-client.ts'
import { startTestServer } from './test-server.ts'

let server: Awaited<ReturnType<typeof startTestServer>>
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

type Fields = Record<string, unknown>
type Connected = Awaited<ReturnType<typeof connectHttp>>

async function call(client: Connected, action: string, input: Fields = {}) {
  const answer = await client.callTool({ name: 'svc_projects', arguments: { action, input } })
  const content = answer.structuredContent as { data: unknown; message?: string; details?: Fields }
  return { ...content, isError: answer.isError === true }
}

/** A model that acts for a person, with their token. */
const connectModel = () => connectHttp(server.base, server.ada)
const connectAgent = () => connectNewest(server.base, server.bot) as unknown as Promise<Connected>

test('a model learns what rules consist of, tests one, creates it and reads what it did', async () => {
  const client = await connectModel()
  const { project_id } = server.board
  const { data: reference } = await call(client, 'rule_reference')
  const { events, examples } = reference as { events: Fields[]; examples: Fields[] }
  expect(events.map(({ name }) => name)).toEqual(TRIGGER_NAMES)
  expect(events[1]).toEqual({
    ...{ name: 'task_moved', meaning: 'a task moves to “section_id”' },
    needs: ['section_id'],
  })
  expect(examples).toHaveLength(2)
  const definition = {
    project_id,
    when: JSON.stringify({ event: 'task_moved', section_id: 'Review' }),
    conditions: '{"groups": [{"rules": [{"field": "label", "op": "is", "value": "bug"}]}]}',
    actions: '[{"do": "comment", "text": "Please look at {{task.key}}"}]',
  }
  const { data: tested } = await call(client, 'preview_rule', {
    ...definition,
    ticket_number: server.tasks.link.ticket_number,
  })
  expect(tested).toMatchObject({
    ...{ tested: 1, matched: 1 },
    sentence:
      'When a task moves to “Review”, if label is bug, comment “Please look at {{task.key}}”',
    rows: [{ matches: true, actions: ['comment “Please look at {{task.key}}”'] }],
  })
  expect(await server.ada['rules.list']({ project_id })).toMatchObject({ items: [] })
  const { data: rule } = await call(client, 'create_rule', definition)
  const { rule_id } = rule as { rule_id: string }
  await server.cleo['tasks.update']({
    ...server.tasks.link,
    section_id: server.sections.Review,
  })
  await runRules(server as never)
  expect((await call(client, 'rule_log', { rule_id })).data).toMatchObject([
    {
      ...{ state: 'done', ticket_number: server.tasks.link.ticket_number },
      results: [{ do: 'comment', text: 'comment “Please look at {{task.key}}”' }],
    },
  ])
  await call(client, 'update_rule', {
    rule_id,
    when: '{"event": "task_moved", "section_id": "Doing"}',
    enabled: false,
  })
  expect((await call(client, 'get_rule', { rule_id })).data).toMatchObject({
    ...{ rule_id, when: { event: 'task_moved', section_id: server.sections.Doing } },
  })
  expect((await call(client, 'delete_rule', { rule_id })).data).toEqual({ rule_id, deleted: true })
  expect((await call(client, 'rules', { project_id })).data).toEqual([])
  await client.close()
})

test('an agent reads and tests rules, but cannot create one, as over REST', async () => {
  const client = await connectAgent()
  const { project_id } = server.board
  const definition = {
    project_id,
    when: { event: 'overdue' },
    actions: [{ do: 'comment', text: 'Late' }],
  }
  expect(await call(client, 'preview_rule', definition)).toMatchObject({
    data: { sentence: 'When a task becomes overdue, comment “Late”' },
  })
  const refused = await call(client, 'create_rule', definition)
  expect(refused).toMatchObject({
    isError: true,
    message: 'Only people can create and change rules, because a rule acts with their rights',
  })
  const { body } = await server.http(server.bot, 'POST', `/api/v1/projects/${project_id}/rules`, {
    ...{ when: definition.when, actions: definition.actions },
  })
  expect(body.message).toBe(refused.message)
  expect((await call(client, 'rules', { project_id })).data).toEqual([])
  await client.close()
})

test('a column that the board lacks is refused with the columns that it has', async () => {
  const client = await connectModel()
  const refused = await call(client, 'create_rule', {
    project_id: server.board.project_id,
    when: '{"event": "task_moved", "section_id": "Nowhere"}',
    actions: '[{"do": "comment", "text": "Hi"}]',
  })
  expect(refused).toMatchObject({
    isError: true,
    details: { field: 'when.section_id', code: 'not_found' },
  })
  await client.close()
})
