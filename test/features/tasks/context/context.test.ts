import { expect, test } from 'bun:test'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { faultOf } from '../../../support/faults.ts'
import { callTool } from '../../../support/surface-calls.ts'
import { type World, world } from '../../../support/world.ts'

type Fields = Record<string, unknown>

const getContext = async (w: World, ticket_number: string, actor = w.cleo) =>
  (await actor['tasks.context']({ ticket_number })) as unknown as {
    [name: string]: Fields & Fields[]
  }

test('a context returns the task with relations, comments, activity, attachments and board', async () => {
  const w = await world()
  const { cleo, ben, bot, tasks, board, clock } = w
  const { project_id } = board
  const { task_id } = tasks.logo
  await ben['projects.set_playbook']({ project_id, definition_of_done: ['It is printed'] })
  const parent = await cleo['tasks.create']({ project_id, title: 'Brand' })
  await cleo['tasks.update']({ task_id, parent_task_id: parent.task_id, priority: 'Urgent' })
  await cleo['tasks.create']({ project_id, title: 'Sketch', parent_task_id: task_id })
  for (const [target_ticket_number, relation_type] of [
    ['HP-2', 'BlockedBy'],
    ['HP-3', 'BlockedTo'],
    ['HP-4', 'RelatedTo'],
  ] as const)
    await cleo['relations.create']({
      ...{ source_task_id: task_id, target_ticket_number, relation_type },
    })
  clock.advance(1000)
  await ben['comments.add']({ task_id, text: '<p>Blue, please.</p>' })
  await bot['decision_requests.create']({ task_id, question: 'Which?', options: ['Blue', 'Red'] })
  const data = Buffer.from('words').toString('base64')
  await cleo['attachments.create']({
    ...{ task_id, files: [{ filename: 'a.txt', content_type: 'text/plain', data }] },
  })
  const context = await getContext(w, 'HP-1')
  expect(context.task).toMatchObject({
    ...{ ticket_number: 'HP-1', description: '<p>In two colours.</p>', blocked: true },
  })
  expect(context.parent).toMatchObject({ title: 'Brand', status: 'Normal' })
  expect(context.subtasks).toMatchObject([{ title: 'Sketch', done: false }])
  expect(context.blocked_by).toMatchObject([{ ticket_number: 'HP-2', relation_type: 'BlockedBy' }])
  expect(context.blocks).toMatchObject([{ ticket_number: 'HP-3' }])
  expect(context.related).toMatchObject([{ ticket_number: 'HP-4', done: true }])
  expect(context.comments).toMatchObject([
    { author: { name: 'Ben' }, text: '<p>Blue, please.</p>' },
  ])
  expect(context.activity!.map(({ type }: Fields) => type)).toEqual([
    ...['task.created', 'task.assigned', 'task.updated'],
    ...['relation.created', 'relation.created', 'relation.created'],
    ...['decision.requested', 'attachment.created'],
  ])
  expect(context.attachments).toMatchObject([{ filename: 'a.txt' }])
  expect(context.decision_requests).toMatchObject([
    { question: 'Which?', options: ['Blue', 'Red'] },
  ])
  expect(context.board).toMatchObject({
    ...{ title: 'Home page', key: 'HP', custom_instruction: null },
    playbook: { definition_of_done: ['It is printed'] },
  })
  expect(context.counts).toEqual({
    ...{ comments: 1, subtasks: 1, relations: 3, attachments: 1, pages: 0, pending_decisions: 1 },
  } as never)
})

test('a context limits comments and subtasks, and truncates long comments', async () => {
  const w = await world()
  const { cleo, tasks, board } = w
  const { task_id } = tasks.copy
  for (let i = 0; i < 25; i++) await cleo['comments.add']({ task_id, text: `<p>Note ${i}</p>` })
  await cleo['comments.add']({ task_id, text: `<p>${'word '.repeat(10_000)}</p>` })
  for (let i = 0; i < 55; i++)
    await cleo['tasks.create']({
      ...{ project_id: board.project_id, title: `Part ${i}`, parent_task_id: task_id },
    })
  const context = await getContext(w, 'HP-2')
  expect(context.comments!).toHaveLength(20)
  const last = context.comments!.at(-1) as Fields
  expect(last.text).toStartWith('word word')
  expect(last.text).toContain('svc_comments list has the full text')
  expect((last.text as string).length).toBeLessThan(2200)
  expect(context.comments![0]!.text).toBe('<p>Note 6</p>')
  expect(context.subtasks!).toHaveLength(50)
  expect(context.counts).toMatchObject({ comments: 26, subtasks: 55 })
})

test('the summary has what is needed to start, names what it cuts, and takes at most 600 tokens', async () => {
  const w = await world()
  const { cleo, ada, tasks, board } = w
  const { project_id } = board
  const { task_id, ticket_number } = tasks.logo
  const PROSE_SENTENCE = 'The colours have to be seen from far away and still look good in print. '
  await cleo['tasks.update']({ task_id, description: PROSE_SENTENCE.repeat(20), priority: 'High' })
  for (let i = 0; i < 5; i++)
    await cleo['comments.add']({ task_id, text: `${i} ${PROSE_SENTENCE.repeat(8)}` })
  for (const target_ticket_number of ['HP-2', 'HP-4'])
    await cleo['relations.create']({
      ...{ source_task_id: task_id, target_ticket_number, relation_type: 'BlockedBy' },
    })
  const question = 'Which blue?'
  await cleo['decision_requests.create']({ task_id, question, options: ['Navy', 'Sky'] })
  await cleo['evidence.add']({ task_id, kind: 'test_result', summary: 'Contrast passes' })
  const definition_of_done = ['Seen by Ada']
  await ada['projects.set_playbook']({
    project_id,
    working_rules: 'Ask first.',
    definition_of_done,
  })
  const skill = { scope: 'project' as const, project_id, body: 'Measure it.' }
  const printing = 'How to check colours for print'
  await ada['skills.create']({ ...skill, name: 'Proofs', description: printing })
  await ada['skills.create']({ ...skill, name: 'Deploy', description: 'How to publish a release' })
  const short = await cleo['tasks.context']({ task_id, summary: true })
  expect(short).toMatchObject({
    ...{ ticket_number, section: 'Doing', priority_name: 'High', blocked: true },
    ...{
      assignees: ['Cleo'],
      labels: ['ui'],
      parent: null,
      checks: ['test_result: Contrast passes'],
    },
    ...{
      blocked_by: [{ ticket_number: 'HP-2', title: 'Write the copy' }],
      working_rules: 'Ask first.',
      definition_of_done,
    },
    questions: [{ question, options: ['Navy', 'Sky'] }],
    skills: [{ slug: 'proofs' }],
    cut: [
      expect.stringMatching(/^description: 14\d\d characters, svc_tasks get$/),
      'comments: 5, svc_comments list',
      'relations: 2, svc_tasks links',
      'activity and whole playbook: svc_tasks context',
    ],
  })
  const input = { project_id, task_id, summary: true }
  const answer = await callTool(w, cleo, 'svc_tasks', { action: 'context', input })
  const { text } = answer.body.result.content[0]
  const { comments } = JSON.parse(text).data
  expect(comments.map((one: { text: string }) => one.text[0])).toEqual(['2', '3', '4'])
  expect(countTokens(text)).toBeLessThanOrEqual(600)
})

test('a context omits everything that its reader cannot see', async () => {
  const w = await world()
  const { ada, cleo, otto, tasks, board, team_id } = w
  const { task_id } = tasks.logo
  const secret = await ada['projects.create']({
    ...{ team_id, title: 'Secret', access: 'invited', sections: [{ title: 'Now' }] },
  })
  const hidden = await ada['tasks.create']({ project_id: secret.project_id, title: 'Hidden' })
  await ada['relations.create']({
    ...{ source_task_id: task_id, target_task_id: hidden.task_id, relation_type: 'BlockedBy' },
  })
  const context = await getContext(w, 'HP-1')
  expect([context.blocked_by!.length, context.counts!.relations]).toEqual([0, 0] as never)
  const short = await cleo['tasks.context']({ task_id, summary: true })
  expect(short).toMatchObject({ blocked_by: [], blocked: true })
  expect(JSON.stringify([context.blocked_by, context.related, short])).not.toContain('Hidden')
  expect((await faultOf(otto['tasks.context']({ task_id }))).code).toBe('not_found')
  const fault = await faultOf(cleo['tasks.context']({ task_id, project_id: secret.project_id }))
  expect(fault.details.field).toBe('project_id')
  const limited = await w.authenticateAs(ada.caller.actor_id, 'key', ['tasks:read'])
  expect((await getContext(w, 'HP-1', limited)).board).toMatchObject({
    ...{ playbook: null, custom_instruction: null },
  })
  const rest = await w.http(
    cleo,
    'GET',
    `/api/v1/tasks/HP-1/context?project_id=${board.project_id}`,
  )
  expect(rest.body.data.task.ticket_number).toBe('HP-1')
})
