import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { catalog } from '../../../../src/catalog.ts'
import { MAX_DEPTH, MAX_PER_MINUTE } from '../../../../src/features/boards/rules/model/queue.ts'
import { ruleExecutions } from '../../../../src/features/boards/rules/model/tables.ts'
import { RuleRunner } from '../../../../src/workers/rules.ts'
import { faultOf } from '../../../support/faults.ts'
import { waitForFollowers } from '../../../support/followers.ts'
import { runnerOf, runRules } from '../../../support/rules.ts'
import { type Actor, type World, world } from '../../../support/world.ts'

type Fields = Record<string, unknown>

const createRule = (
  w: World,
  when: Fields,
  actions: Fields[],
  by: Actor = w.ada,
  more: Fields = {},
) => by['rules.create']({ project_id: w.board.project_id, when, actions, ...more } as never)
const COMMENT = [{ do: 'comment', text: 'Hello' }]
const onReview = (w: World) => ({ event: 'task_moved', section_id: w.sections.Review })
const toReview = (w: World, task = w.tasks.copy) =>
  w.cleo['tasks.update']({ ...task, section_id: w.sections.Review })
const commentsOn = async (w: World, { task_id }: { task_id: number }) =>
  (await w.ada['comments.list']({ task_id })).items.length
const logOf = async (w: World, rule_id: string) =>
  (await w.ada['rules.executions']({ rule_id })).items

test('a rule is read back as a sentence', async () => {
  const w = await world()
  const rule = await createRule(
    w,
    onReview(w),
    [
      { do: 'assign', who: 'Ben' },
      { do: 'set_field', field: 'due_date', days: 2 },
      { do: 'comment', text: 'Please look' },
    ],
    w.ada,
    { conditions: { groups: [{ rules: [{ field: 'label', op: 'is', value: 'bug' }] }] } },
  )
  expect(rule.sentence).toBe(
    'When a task moves to “Review”, if label is bug, assign it to Ben, ' +
      'set its due date to in 2 days and comment “Please look”',
  )
  expect(rule).toMatchObject({ position: 1, enabled: true, paused_reason: null })
  expect(rule.actions[0]).toEqual({ do: 'assign', who: w.ben.caller.actor_id })
  expect((await w.cleo['rules.list']({ project_id: w.board.project_id })).items).toMatchObject([
    { ...rule },
  ])
})

test('rules are moved, changed, disabled and deleted', async () => {
  const w = await world()
  const { project_id } = w.board
  const [one, two] = [
    await createRule(w, { event: 'overdue' }, COMMENT),
    await createRule(w, { event: 'due_soon' }, COMMENT),
  ]
  await w.ada['rules.update']({ rule_id: two.rule_id, position: 1 })
  const { items } = await w.ada['rules.list']({ project_id })
  expect(items.map(({ rule_id }) => rule_id)).toEqual([two.rule_id, one.rule_id])
  await w.ada['rules.update']({ rule_id: one.rule_id, when: onReview(w) as never, enabled: false })
  await toReview(w)
  await runRules(w)
  expect(await commentsOn(w, w.tasks.copy)).toBe(0)
  await w.ada['rules.delete']({ rule_id: one.rule_id })
  expect(await faultOf(w.ada['rules.get']({ rule_id: one.rule_id }))).toMatchObject({
    code: 'not_found',
  })
})

test('invalid rules are refused with the field and a way out', async () => {
  const w = await world()
  const { Review } = w.sections
  const cases: [Fields, Fields[], string][] = [
    [{ event: 'task_moved' }, COMMENT, 'when.section_id'],
    [{ event: 'task_moved', section_id: 999 }, COMMENT, 'when.section_id'],
    [{ event: 'overdue', section_id: Review }, COMMENT, 'when.section_id'],
    [{ event: 'field_changed', field: 'colour' }, COMMENT, 'when.field'],
    [{ event: 'overdue' }, [{ do: 'comment' }], 'actions.0.text'],
    [{ event: 'overdue' }, [{ do: 'comment', text: '{{task.colour}}' }], 'actions.0.text'],
    [{ event: 'overdue' }, [{ do: 'assign', who: 'Nobody' }], 'actions.0.who'],
    [{ event: 'overdue' }, [{ do: 'call_agent', who: 'Ben', text: 'Hi' }], 'actions.0.who'],
    [{ event: 'overdue' }, [{ do: 'set_field', field: 'priority' }], 'actions.0.value'],
    [{ event: 'overdue' }, [{ do: 'set_field', field: 'priority', days: 1 }], 'actions.0.days'],
    [{ event: 'overdue' }, [{ do: 'send_webhook', webhook_id: 9 }], 'actions.0.webhook_id'],
  ]
  for (const [when, actions, field] of cases)
    expect((await faultOf(createRule(w, when, actions))).details).toMatchObject({ field })
  const conditions = { groups: [{ rules: [{ field: 'label', op: 'is', value: 'nope' }] }] }
  expect(
    (await faultOf(createRule(w, { event: 'overdue' }, COMMENT, w.ada, { conditions }))).details,
  ).toMatchObject({ field: 'conditions.groups.0.rules.0' })
})

test('only people who manage a board change its rules; everybody on it reads them', async () => {
  const w = await world()
  const rule = await createRule(w, onReview(w), COMMENT)
  for (const actor of [w.cleo, w.gus, w.bot, w.otto])
    await expect(createRule(w, onReview(w), COMMENT, actor)).rejects.toThrow()
  await expect(w.cleo['rules.delete']({ rule_id: rule.rule_id })).rejects.toThrow()
  expect((await w.cleo['rules.get']({ rule_id: rule.rule_id })).rule_id).toBe(rule.rule_id)
  await expect(w.otto['rules.get']({ rule_id: rule.rule_id })).rejects.toThrow()
})

test('a change by a rule names the rule, and its log says what was done', async () => {
  const w = await world()
  const { rule_id, sentence } = await createRule(w, onReview(w), COMMENT)
  await toReview(w)
  await runRules(w)
  const change = (await w.changes()).find(({ type }) => type === 'comment.created')!
  expect(change.data.cause).toMatchObject({ rule_id, depth: 1, sentence })
  expect(await logOf(w, rule_id)).toMatchObject([
    {
      ...{ state: 'done', reason: null, ticket_number: 'HP-2' },
      results: [{ do: 'comment', text: 'comment “Hello”', error: null }],
    },
  ])
})

test('the activity of a task names the rule that made a change, also after its deletion', async () => {
  const w = await world()
  const assign = [{ do: 'assign', who: 'Ben' }]
  const { rule_id, sentence } = await createRule(w, onReview(w), assign)
  await toReview(w)
  await runRules(w)
  await w.ada['rules.delete']({ rule_id })
  const { items } = await w.cleo['comments.list']({ ...w.tasks.copy, include_activity: true })
  expect(items.map(({ type, rule }) => [type, rule])).toEqual([
    ['task.created', undefined],
    ['task.updated', undefined],
    ['task.assigned', sentence],
  ])
})

test('the activity of a task has the rule with the names that it had when it acted', async () => {
  const w = await world()
  const { Review } = w.sections
  const ben = w.ben.caller.actor_id
  const { project_id } = w.board
  const { field_id, options } = await w.ada['custom_fields.create']({
    ...{ project_id, name: 'Area', type: 'select', options: [{ label: 'North' }] },
  } as never)
  const { option_id } = options[0]!
  const rules = [
    { field: field_id, op: 'none_of', value: [option_id] },
    { field: 'assignee', op: 'is_not', value: String(ben) },
  ]
  const actions = [
    { do: 'assign', who: ben },
    { do: 'comment', text: 'Long '.repeat(50) },
  ]
  const conditions = { groups: [{ match: 'ANY', rules }] }
  const { rule_id } = await createRule(w, onReview(w), actions, w.ada, { conditions })
  await toReview(w)
  await runRules(w)
  await w.ada['rules.delete']({ rule_id })
  const { items } = await w.cleo['comments.list']({ ...w.tasks.copy, include_activity: true })
  const [assigned] = items.filter(({ type }) => type === 'task.assigned')
  expect(assigned?.rule_definition).toEqual({
    when: { event: 'task_moved', section_id: Review },
    conditions,
    actions: [actions[0], { do: 'comment', text: `${'Long '.repeat(15)}Long…` }],
    names: {
      sections: { [Review]: 'Review' },
      labels: {},
      actors: { [ben]: 'Ben' },
      webhooks: {},
      fields: { [field_id]: { name: 'Area', type: 'select', options: { [option_id]: 'North' } } },
    },
  })
})

test('a rule that is too long for each of its changes is only named as a sentence there', async () => {
  const w = await world()
  const value = Array.from({ length: 50 }, (_, at) => `${at}`.padEnd(100, 'x'))
  const rules = [{ field: 'title', op: 'none_of', value }]
  const assign = [{ do: 'assign', who: 'Ben' }]
  const conditions = { groups: [{ rules }] }
  const { sentence } = await createRule(w, onReview(w), assign, w.ada, { conditions })
  await toReview(w)
  await runRules(w)
  const { items } = await w.cleo['comments.list']({ ...w.tasks.copy, include_activity: true })
  const [assigned] = items.filter(({ type }) => type === 'task.assigned')
  expect(assigned).toMatchObject({ rule: sentence })
  expect(assigned).not.toHaveProperty('rule_definition')
})

test('a rule does not react to its own change', async () => {
  const w = await world()
  const text = { do: 'create_task', title: 'Another one' }
  w.clock.advance(1000)
  await createRule(w, { event: 'task_created' }, [text])
  await w.cleo['tasks.create']({ project_id: w.board.project_id, title: 'First' })
  await runRules(w)
  const { page } = await w.ada['tasks.list']({ project_id: w.board.project_id })
  expect(page.total).toBe(6)
})

test('two rules that cause each other stop at the maximum depth', async () => {
  const w = await world()
  const { Review, Doing } = w.sections
  await createRule(w, onReview(w), [{ do: 'move', section_id: Doing }])
  const back = { event: 'task_moved', section_id: Doing }
  const { rule_id } = await createRule(w, back, [{ do: 'move', section_id: Review }])
  await toReview(w)
  await runRules(w)
  const moves = (await w.changes()).filter(({ data }) => data.cause)
  expect(moves).toHaveLength(MAX_DEPTH)
  expect(moves.map(({ data }) => (data.cause as { depth: number }).depth)).toEqual([1, 2, 3, 4, 5])
  expect((await logOf(w, rule_id))[0]).toMatchObject({ state: 'skipped' })
})

test('a storm pauses the rule and notifies its creator', async () => {
  const w = await world()
  const { rule_id } = await createRule(w, { event: 'task_created' }, COMMENT)
  const { project_id } = w.board
  for (let made = 0; made <= MAX_PER_MINUTE; made += 50)
    await w.cleo['tasks.create_many']({
      project_id,
      tasks: Array.from({ length: 50 }, (_, at) => ({ title: `Task ${made + at}` })),
    } as never)
  await waitForFollowers(w, 'rules')
  const rule = await w.ada['rules.get']({ rule_id })
  expect(rule).toMatchObject({ enabled: false })
  expect(rule.paused_reason).toContain(`${MAX_PER_MINUTE} times in a minute`)
  await waitForFollowers(w)
  const { items } = await w.ada['inbox.list']({})
  expect(items.map(({ snippet }) => snippet)[0]).toContain('was paused')
  await runRules(w)
  expect((await logOf(w, rule_id))[0]).toMatchObject({ reason: 'The rule was disabled' })
}, 60_000)

test('a rule is executed on one task a limited number of times in an hour', async () => {
  const w = await world()
  const when = { event: 'comment_contains', text: 'x' }
  const { rule_id } = await createRule(w, when, [{ do: 'add_label', label_id: w.labels.ui }])
  for (let at = 0; at < 32; at++) await w.cleo['comments.add']({ ...w.tasks.copy, text: `x${at}` })
  await runRules(w)
  expect((await logOf(w, rule_id)).filter(({ state }) => state === 'skipped')).toHaveLength(2)
})

test('an action whose target is gone fails alone, and a rule that keeps failing is paused', async () => {
  const w = await world()
  const actions = [{ do: 'add_label', label_id: w.labels.bug }, ...COMMENT]
  const { rule_id } = await createRule(w, { event: 'task_created' }, actions)
  await w.ada['labels.delete']({ project_id: w.board.project_id, label_id: w.labels.bug })
  for (let at = 0; at < 12; at++)
    await w.cleo['tasks.create']({ project_id: w.board.project_id, title: `Task ${at}` })
  await runRules(w)
  expect(await commentsOn(w, { task_id: 5 })).toBe(1)
  const rule = await w.ada['rules.get']({ rule_id })
  expect(rule).toMatchObject({ enabled: false })
  expect(rule.paused_reason).toContain('10 times in a row')
  expect(rule.sentence).toContain('something that was deleted')
})

test('a rule whose creator lost access is paused, and resumes with the rights of another person', async () => {
  const w = await world()
  const { project_id } = w.board
  const { rule_id } = await createRule(w, onReview(w), COMMENT, w.ben)
  await w.ada['teams.remove_member']({
    team_id: w.team_id,
    user_id: w.ben.caller.actor_id,
  } as never)
  await toReview(w)
  await runRules(w)
  const paused = await w.ada['rules.get']({ rule_id })
  expect(paused).toMatchObject({ enabled: false })
  expect(paused.paused_reason).toContain('no access')
  expect(await commentsOn(w, w.tasks.copy)).toBe(0)
  await w.ada['rules.update']({ rule_id, enabled: true })
  w.clock.advance(1000)
  await toReview(w, w.tasks.link)
  await runRules(w)
  expect(await commentsOn(w, w.tasks.link)).toBe(1)
  expect((await w.ada['rules.list']({ project_id })).items[0]!.created_by.name).toBe('Ada')
})

test('after a crash between an action and its record nothing happens twice', async () => {
  const w = await world()
  const actions = [...COMMENT, { do: 'create_task', title: 'Follow up' }, ...COMMENT]
  const { rule_id } = await createRule(w, onReview(w), actions)
  await toReview(w)
  await waitForFollowers(w, 'rules')
  for (const crashAt of [1, 2, 3]) {
    let calls = 0
    const dispatch: typeof w.dispatch = async (caller, op, ...rest) => {
      const result = await w.dispatch(caller, op, ...rest)
      if (op.needs === 'tasks:write' && ++calls === crashAt) throw new Error('The process ends')
      return result
    }
    const log = { error: () => undefined } as never
    const { store, clock } = w
    await new RuleRunner({ store, dispatch, catalog, clock: clock.read, log }).runAll()
    w.clock.advance(61_000)
  }
  await runnerOf(w).runAll()
  expect(await commentsOn(w, w.tasks.copy)).toBe(2)
  expect((await w.ada['tasks.list']({ project_id: w.board.project_id })).page.total).toBe(5)
  expect(await logOf(w, rule_id)).toMatchObject([{ state: 'done' }])
})

test('two servers execute each rule once', async () => {
  const w = await world()
  await createRule(w, onReview(w), COMMENT)
  for (const task of [w.tasks.copy, w.tasks.link, w.tasks.logo]) await toReview(w, task)
  await waitForFollowers(w, 'rules')
  await Promise.all([runnerOf(w).runAll(), runnerOf(w).runAll(), runnerOf(w).runAll()])
  for (const task of [w.tasks.copy, w.tasks.link, w.tasks.logo])
    expect(await commentsOn(w, task)).toBe(1)
})

test('a preview says what would happen and changes nothing', async () => {
  const w = await world()
  await toReview(w)
  await toReview(w, w.tasks.link)
  const seq = (await w.changes()).at(-1)!.seq
  const rule = {
    project_id: w.board.project_id,
    when: onReview(w),
    conditions: { groups: [{ rules: [{ field: 'label', op: 'is', value: 'bug' }] }] },
    actions: COMMENT,
  } as never
  expect(await w.cleo['rules.preview'](rule)).toMatchObject({
    matched: 1,
    rows: [
      { ticket_number: 'HP-3', matches: true, reason: null, actions: ['comment “Hello”'] },
      { ticket_number: 'HP-2', matches: false, reason: 'Its conditions do not match', actions: [] },
    ],
  })
  const single = await w.cleo['rules.preview']({
    ...(rule as object),
    task_id: w.tasks.copy.task_id,
  } as never)
  expect(single).toMatchObject({ tested: 1, matched: 0, rows: [{ at: null }] })
  expect(await w.changes(seq)).toHaveLength(0)
  const rows = await w.store.read((tx) =>
    tx.select().from(ruleExecutions).where(eq(ruleExecutions.depth, 1)),
  )
  expect(rows).toHaveLength(0)
})

test('changes from before a rule do not start it', async () => {
  const w = await world()
  await toReview(w)
  w.clock.advance(1000)
  await createRule(w, onReview(w), COMMENT)
  await runRules(w)
  expect(await commentsOn(w, w.tasks.copy)).toBe(0)
})
