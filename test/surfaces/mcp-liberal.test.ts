import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Type as t } from '@sinclair/typebox'
import { catalog } from '../../src/catalog.ts'
import type { AnyOperation } from '../../src/kernel/operation.ts'
import { validate } from '../../src/kernel/validate.ts'
import { convert } from '../../src/surfaces/mcp/convert.ts'
import { exampleCall } from '../../src/surfaces/mcp/examples.ts'
import { toolsOf } from '../../src/surfaces/mcp/tools.ts'
import { claimTask } from '../support/fixtures.ts'
import { type Call, startTestServer } from './test-server.ts'

let server: Awaited<ReturnType<typeof startTestServer>>
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const tasks = (args: Call, actor = server.ada) => server.call(actor, 'svc_tasks', args)
const update = (input: object) => {
  const { ticket_number } = server.tasks.copy
  return tasks({ action: 'update', input: { ticket_number, ...input } })
}
const taskNow = () => server.ada['tasks.get']({ task_id: server.tasks.copy.task_id })
const patch = (body: object) =>
  server.http(server.ada, 'PATCH', `/api/v1/tasks/${server.tasks.copy.ticket_number}`, body)

describe('listed words are accepted in any case on every surface', () => {
  for (const [field, sent, stored] of [
    ['recurrence', 'weekly', 'Weekly'],
    ['recurrence', 'BI_WEEKLY', 'Biweekly'],
    ['status', 'normal', 'Normal'],
    ['priority', 'urgent', 1],
    ['priority', 'LOW', 4],
  ] as const)
    test(`${field} ${sent}`, async () => {
      expect((await patch({ [field]: sent })).status).toBe(200)
      expect(await taskNow()).toMatchObject({ [field]: stored })
      await patch({ priority: 0, recurrence: null })
      expect((await update({ [field]: sent })).success).toBe(true)
      expect(await taskNow()).toMatchObject({ [field]: stored })
    })

  test('a relation in words with an underscore, and modes of views inside lists', async () => {
    const link = {
      source_ticket_number: server.tasks.copy.ticket_number,
      target_ticket_number: server.tasks.logo.ticket_number,
      relation_type: 'blocked_by',
    }
    const made = await server.http(server.ada, 'POST', '/api/v1/relations', link)
    expect(made.body.data.relation_type).toBe('BlockedBy')
    expect((await tasks({ action: 'unlink', input: link })).success).toBe(true)
    const view = await server.call(server.ada, 'svc_views', {
      action: 'create',
      input: {
        project_id: server.board.project_id,
        title: 'By date',
        sorting_stack: [{ mode: 'DueDate', order: 'descending' }],
      },
    })
    expect(view.success).toBe(true)
    const { sorting_stack } = await server.ada['views.get']({ view_id: view.data.view_id })
    expect(sorting_stack).toEqual([{ mode: 'DueDate', order: 'Descending' }])
  })

  test('a word that no list has is refused with the list', async () => {
    for (const { message } of [
      (await patch({ recurrence: 'yearly' })).body,
      await update({ recurrence: 'yearly' }),
    ])
      expect(message).toContain('Daily, Weekdays, Weekly, Biweekly, Monthly')
  })
})

describe('a task is found by every spelling of its key', () => {
  const spellings = (key: string) => {
    const [board, number] = key.split('-')
    return [
      `#${key}`,
      key.toLowerCase(),
      `${board} ${number}`,
      `${board}_${number}`,
      `http://localhost/t/${key}`,
      `http://localhost/t/${key}?comment=1#last`,
      ` ${key} `,
    ]
  }
  test('over MCP in ticket_number and task_id, over REST in the body', async () => {
    const { ticket_number, task_id } = server.tasks.logo
    for (const spelling of spellings(ticket_number)) {
      const timer = { action: 'status', input: { task_identifier: spelling } }
      const { data: running } = await server.call(server.ada, 'svc_time', timer)
      expect([spelling, running.ticket_number]).toEqual([spelling, ticket_number])
      for (const field of ['ticket_number', 'task_id']) {
        const { data } = await tasks({ action: 'get', input: { [field]: spelling } })
        expect([spelling, field, data?.ticket_number]).toEqual([spelling, field, ticket_number])
      }
      const body = { ticket_number: spelling, title: 'Draw the logo' }
      const { status } = await server.http(server.ada, 'POST', '/api/v1/tasks', body)
      expect([spelling, status]).toEqual([spelling, 200])
    }
    const several = await tasks({ action: 'get', input: { task_id: [ticket_number] } })
    expect(several.success).toBe(true)
    const asText = await tasks({ action: 'get', input: { task_id: String(task_id) } })
    expect(asText.data.ticket_number).toBe(ticket_number)
  })

  test('an address of another server, and a number in the place of a key, find nothing', async () => {
    const { ticket_number, task_id } = server.tasks.logo
    for (const odd of [`https://evil.example/t/${ticket_number}`, String(task_id), `x${task_id}`]) {
      const { details } = await tasks({ action: 'get', input: { ticket_number: odd } })
      expect([odd, details.field, details.code]).toEqual([odd, 'ticket_number', 'not_found'])
    }
  })

  test('over REST a key in task_id is a wrong type', async () => {
    const body = { task_id: server.tasks.logo.ticket_number, title: 'No' }
    const { status, body: answer } = await server.http(server.ada, 'POST', '/api/v1/tasks', body)
    expect([status, answer.details.code]).toEqual([400, 'invalid_type'])
  })
})

describe('types are converted over MCP only', () => {
  const section = () => server.sections.Next
  const ben = () => server.ben.caller.actor_id
  for (const [name, sent, stored] of [
    [
      'a number as text',
      () => ({ section_id: String(section()) }),
      () => ({ section_id: section() }),
    ],
    ['a size by its name', () => ({ estimate: 'm' }), () => ({ estimate: 4 })],
    ['a size as text', () => ({ estimate: '3' }), () => ({ estimate: 3 })],
    [
      'one label in place of a list',
      () => ({ labels: 'bug' }),
      () => ({ labels: [{ name: 'bug' }] }),
    ],
    ['a list as JSON', () => ({ labels: '["ui"]' }), () => ({ labels: [{ name: 'ui' }] })],
    [
      'one person as a number',
      () => ({ assignee_ids: ben() }),
      () => ({ assignees: [{ name: 'Ben' }] }),
    ],
    [
      'a column by its title',
      () => ({ section_id: 'doing' }),
      () => ({ section_id: server.sections.Doing }),
    ],
    [
      'people by name and email',
      () => ({ assignee_ids: ['ben', 'cleo@example.com'] }),
      () => ({ assignees: [{ name: 'Ben' }, { name: 'Cleo' }] }),
    ],
    [
      'a parent by its key',
      () => ({ parent_task_id: server.tasks.logo.ticket_number }),
      () => ({ parent_task_id: server.tasks.logo.task_id }),
    ],
    [
      'a list of one in place of a text',
      () => ({ title: ['Write it'] }),
      () => ({ title: 'Write it' }),
    ],
  ] as const)
    test(name, async () => {
      const before = await taskNow()
      const refused = await patch(sent())
      expect([refused.status, refused.body.details.code]).toEqual([400, 'invalid_type'])
      expect(await taskNow()).toEqual(before)
      expect(await update(sent())).toMatchObject({ success: true })
      expect(await taskNow()).toMatchObject(stored())
    })

  test('a switch as text, and a board by its key', async () => {
    const { data } = await tasks({
      action: 'list',
      input: { project_id: server.board.key, has_due_date: 'True' },
    })
    expect(data.map((row: { title: string }) => row.title)).toEqual(['Draw the logo'])
  })

  test('mentions by name, user id and the name of an agent', async () => {
    const { ticket_number } = server.tasks.link
    const add = (mentions: unknown) =>
      server.call(server.ada, 'svc_comments', {
        action: 'add',
        input: { ticket_number, text: '@Ben, look', mentions },
      })
    const mentioned = async (mentions: unknown) => {
      expect(await add(mentions)).toMatchObject({ success: true })
      const { items } = await server.ada['comments.list']({ ticket_number })
      const { mentions: notified = [] } = items.at(-1) ?? {}
      return notified.map(({ name }) => name).toSorted()
    }
    expect(await mentioned(['Ben'])).toEqual(['Ben'])
    expect(await mentioned('@ben')).toEqual(['Ben'])
    expect(await mentioned(['Bot', String(server.cleo.caller.actor_id)])).toEqual(['Bot', 'Cleo'])
    expect((await add('Nobody')).details).toMatchObject({ field: 'mentions.0', code: 'not_found' })
  })

  for (const [name, input, code] of [
    ['a number with letters', { section_id: '12abc' }, 'not_found'],
    ['priority 7', { priority: 7 }, 'out_of_range'],
    ['priority 7 as text', { priority: '7' }, 'invalid_type'],
    ['estimate 1', { estimate: 1 }, 'out_of_range'],
    ['estimate 1 as text', { estimate: '1' }, 'out_of_range'],
    ['a size that does not exist', { estimate: 'XXL' }, 'invalid_type'],
    ['an object in place of a text', { title: { a: 1 } }, 'invalid_type'],
    ['two values in place of one', { title: ['a', 'b'] }, 'invalid_type'],
    ['a column that does not exist', { section_id: 'Somewhere' }, 'not_found'],
    ['a person who does not exist', { assignee_ids: ['Zoe'] }, 'not_found'],
  ] as const)
    test(`${name} stays an error, with the field and a valid call`, async () => {
      const before = await taskNow()
      const answer = await update(input)
      expect(answer.isError).toBe(true)
      const [field] = Object.keys(input)
      expect(answer.details.field.split('.')[0]).toBe(field)
      expect(answer.details.code).toBe(code)
      expect(answer.example.action).toBe('update')
      expect(Object.keys(answer.example.input)).toContain(field!)
      expect(await taskNow()).toEqual(before)
    })

  test('a name that two people have is ambiguous, with both as candidates', async () => {
    const other = await server.addMember(server.team_id, 'Benno', 'member')
    await other['user_context.update_profile']({ display_name: 'Ben' })
    const answer = await update({ assignee_ids: ['Ben'] })
    expect(answer.details).toMatchObject({
      field: 'assignee_ids',
      code: 'ambiguous',
      candidates: [
        { user_id: server.ben.caller.actor_id, name: 'Ben' },
        { user_id: other.caller.actor_id, name: 'Ben' },
      ],
    })
    expect(answer.message).toContain(`user_id ${other.caller.actor_id}`)
    await other['user_context.update_profile']({ display_name: 'Benno' })
  })

  test('people and agents are assigned by name, and an inbox is found by name', async () => {
    const { ticket_number } = server.tasks.link
    const assign = (input: object) =>
      tasks({ action: 'assign', input: { ticket_number, ...input } }, server.cleo)
    const assignees = async () => {
      const [task] = [await server.ada['tasks.get']({ ticket_number })].flat()
      return task!.assignees.map(({ name }) => name)
    }
    expect(await assign({ user_id: 'Cleo' })).toMatchObject({ success: true })
    expect(await assign({ user_ids: 'ada' })).toMatchObject({ success: true })
    expect(await assign({ agent_id: 'bot' })).toMatchObject({ success: true })
    expect((await assignees()).toSorted()).toEqual(['Ada', 'Bot', 'Cleo'])
    expect(await assign({ user_ids: ['me', 'Ada'], intent: 'Unassign' })).toMatchObject({
      success: true,
    })
    expect(await assignees()).toEqual(['Bot'])
    const unknown = await assign({ agent_id: 'Botty' })
    expect(unknown.details).toMatchObject({ field: 'agent_id', code: 'not_found' })
    const inbox = { action: 'list', input: { user_id: 'Ben' } }
    expect((await server.call(server.ada, 'svc_inbox', inbox)).success).toBe(true)
    const self = await tasks(
      { action: 'assign', input: { ticket_number, user_ids: 'me' } },
      server.bot,
    )
    expect(self.message).toContain('Your token belongs to an agent')
  })

  test('a field is accepted under the name that another action has for it', async () => {
    const { project_id } = server.board
    const made = await tasks({
      action: 'create',
      input: { project_id, name: 'Paint it', section: 'Next', user_ids: ['Ben'] },
    })
    const { ticket_number, task_id } = made.data
    const read = await tasks({ action: 'get', input: { ticket_number } })
    expect(read.data).toMatchObject({
      title: 'Paint it',
      section_id: server.sections.Next,
      assignees: ['Ben'],
    })
    for (const address of [{ ticket_number }, { task_id }]) {
      const call = { action: 'log', input: { ...address, minutes: 5 } }
      expect((await server.call(server.ada, 'svc_time', call)).data).toMatchObject({
        ticket_number,
      })
    }
    const comment = { action: 'add', input: { ticket_number, content: 'Dry by noon' } }
    expect((await server.call(server.ada, 'svc_comments', comment)).success).toBe(true)
    const both = { ticket_number, text: 'Dry', content: 'Wet' }
    const refused = await server.call(server.ada, 'svc_comments', { action: 'add', input: both })
    expect(refused.details).toEqual({ field: 'content', code: 'unknown_field' })
  })

  test('names in a list of tasks, and keys of several tasks', async () => {
    const { project_id } = server.board
    const made = await tasks({
      action: 'create_many',
      input: { project_id, tasks: ['Sand it', { title: 'Oil it', section_id: 'Review' }] },
    })
    const keys = made.data.map((row: { ticket_number: string }) => row.ticket_number)
    expect(keys).toHaveLength(2)
    const moved = { task_ids: keys, section_id: 'Done', priority: 'low' }
    expect((await tasks({ action: 'update_many', input: moved })).success).toBe(true)
    for (const ticket_number of keys)
      expect(await server.ada['tasks.get']({ ticket_number })).toMatchObject({
        section_id: server.sections.Done,
        priority: 4,
      })
    const wrong = { project_id, tasks: [{ title: 'Wax it', section_id: 'Attic' }] }
    const { details } = await tasks({ action: 'create_many', input: wrong })
    expect(details).toMatchObject({ field: 'tasks.0.section_id', code: 'not_found' })
  })

  test('over REST such a field is unknown', async () => {
    const body = { project_id: server.board.project_id, name: 'Paint it' }
    const { status, body: answer } = await server.http(server.ada, 'POST', '/api/v1/tasks', body)
    expect([status, answer.details]).toEqual([400, { field: 'name', code: 'unknown_field' }])
  })

  test('a name of somebody on a board that the caller cannot see is unknown', async () => {
    const outsider = await server.call(server.otto, 'svc_tasks', {
      action: 'create',
      input: { project_id: server.board.key, title: 'In' },
    })
    expect(outsider.details).toMatchObject({ field: 'project_id', code: 'not_found' })
    const { message } = await update({ assignee_ids: ['Otto'] })
    expect(message).toBe('There is no person "Otto" that you can see (action update)')
  })

  test('a token that may not read boards has to send the id', async () => {
    const writer = await server.authenticateAs(server.ada.caller.actor_id, 'key', ['tasks:write'])
    const input = { project_id: server.board.project_id, title: 'New', section_id: 'Next' }
    const answer = await tasks({ action: 'create', input }, writer)
    expect(answer).toMatchObject({ hint: 'Send its section_id', details: { field: 'section_id' } })
    const withId = { ...input, section_id: server.sections.Next }
    expect((await tasks({ action: 'create', input: withId }, writer)).success).toBe(true)
  })
})

describe('the arguments of a call', () => {
  const drill = (args: Call) => server.call(server.ada, 'svc_skills', args)

  test('input may be JSON as text, and fields may be beside action', async () => {
    for (const args of [
      { input: '{"title":"One"}' },
      { title: 'One' },
      { input: {}, title: 'One' },
      { input: { title: 'One' }, title: 'One' },
      { input: { title: 'One', due: null, name: '', skill_id: null } },
    ])
      expect(await drill({ action: 'drill_make', ...args })).toMatchObject({ success: true })
    expect(await drill({ action: 'DRILL MAKE', title: 'Two' })).toMatchObject({ success: true })
    const { success } = await drill({ action: 'drill_list', input: null, limit: '2', fields: 'n' })
    expect(success).toBe(true)
  })

  test('two values for one field, and texts that are no object, are refused', async () => {
    const conflict = await drill({ action: 'drill_make', title: 'One', input: { title: 'Three' } })
    expect(conflict.details).toMatchObject({ field: 'title', code: 'conflict' })
    for (const input of ['{"title":', '[]', '7', 'One', [], 7]) {
      const { details, example } = await drill({ action: 'drill_make', input })
      expect(details).toMatchObject({ field: 'input', code: 'invalid_type' })
      expect(example).toEqual({ action: 'drill_make', input: { title: 'Fix the gate' } })
    }
    const { details } = await drill({ action: 'drill_make', title: 'One', skill_id: 7 })
    expect(details).toMatchObject({ field: 'skill_id', code: 'unknown_field' })
    expect(server.createdTitles).not.toContain('Three')
  })
})

describe('conversion of values', () => {
  const List = t.Array(t.Integer())
  const Choice = t.Union([t.Literal('one'), t.Literal('two')])
  for (const [name, schema, value, expected] of [
    ['a number', t.Integer(), ' 7 ', 7],
    ['a negative number', t.Integer(), '-7', -7],
    ['a decimal for a number', t.Number(), '1.5', 1.5],
    ['a decimal for an integer', t.Integer(), '1.5', '1.5'],
    ['digits with letters', t.Integer(), '12abc', '12abc'],
    ['more digits than a number has', t.Integer(), '9'.repeat(17), '9'.repeat(17)],
    ['an empty text', t.Integer(), '', ''],
    ['false', t.Boolean(), 'FALSE', false],
    ['yes', t.Boolean(), 'yes', 'yes'],
    ['a number for a text', t.String(), 7, '7'],
    ['a text that looks like JSON', t.String(), '[7]', '[7]'],
    ['numbers with commas', List, '1, 2', [1, 2]],
    ['a list of texts', List, ['1', 'x'], [1, 'x']],
    ['a text with a comma', t.Array(t.String()), 'a, b', ['a, b']],
    ['choices with commas', t.Array(Choice), 'one,two', ['one', 'two']],
    [
      'choices or a list of them',
      t.Union([...Choice.anyOf, t.Array(Choice)]),
      'one,two',
      ['one', 'two'],
    ],
    ['a title for an object', t.Array(t.Object({ title: t.String() })), ['a'], [{ title: 'a' }]],
    ['an object as JSON', t.Object({ n: t.Integer() }), '{"n":"1"}', { n: 1 }],
    ['broken JSON', t.Object({ n: t.Integer() }), '{"n":', '{"n":'],
    ['null', t.Integer(), null, null],
    ['a text or a number', t.Union([t.Integer(), t.String()]), '7', '7'],
  ] as const)
    test(name, () => {
      expect(convert(schema, value)).toEqual(expected as never)
    })
})

describe('the example in an error', () => {
  test('is a valid call of every action, with every field', () => {
    const problems: unknown[] = []
    for (const [tool, actions] of toolsOf(catalog as readonly AnyOperation[]))
      for (const [action, op] of actions)
        for (const field of [undefined, ...Object.keys(op.input.properties)]) {
          const { input = {}, action: named } = exampleCall(action, op, field)
          expect(named).toBe(action)
          try {
            validate(op.input, input)
          } catch (error) {
            problems.push([tool, action, field, input, (error as Error).message])
          }
        }
    expect(problems).toEqual([])
  })

  test('is short, and belongs to the action that was meant', async () => {
    const answer = await tasks({ action: 'updat', input: {} })
    expect(answer.example).toMatchObject({ action: 'update' })
    expect(Object.keys(answer.result.structuredContent).at(-1)).toBe('example')
    const missing = await tasks({ action: 'create', input: {} })
    expect(missing.example).toEqual({
      action: 'create',
      input: { project_id: 7, title: 'Fix the gate' },
    })
    const older = await server.call(server.ada, 'create_page', { content: 7 })
    expect(older.example).toMatchObject({ ticket_number: 'OPS-12' })
    expect(older.example).not.toHaveProperty('action')
  })

  test('is missing from an error that is about no field', async () => {
    const failure = await server.call(server.ada, 'svc_skills', { action: 'drill_fail' })
    expect(failure).not.toHaveProperty('example')
  })
})

test('refused calls do not end or shorten the lease of a task', async () => {
  const { copy } = server.tasks
  const { lease_id, expires_at } = await claimTask(server.bot, copy)
  for (const input of [
    { ticket_number: copy.ticket_number, priority: 7 },
    { ticket_number: copy.ticket_number, colour: 'red' },
    { ticket_number: copy.ticket_number, section_id: 'Somewhere' },
    { ticket_number: copy.ticket_number, title: 'x', lease_id: 'another' },
    { ticket_number: copy.ticket_number, if_version: 99, description: 'x' },
  ]) {
    const { isError } = await tasks({ action: 'update', input }, server.bot)
    expect([input, isError]).toEqual([input, true])
    const { lease } = await server.bot['leases.get']({ task_id: copy.task_id })
    expect(lease).toMatchObject({ lease_id, expires_at })
  }
  const good = { ticket_number: copy.ticket_number, title: 'Write the copy', lease_id }
  expect((await tasks({ action: 'update', input: good }, server.bot)).success).toBe(true)
})
