import { expect, test } from 'bun:test'
import { Type as t } from '@sinclair/typebox'
import { and, not } from 'drizzle-orm'
import fc from 'fast-check'
import {
  inScope,
  type Rule,
  ruleCondition,
  scopeOf,
} from '../../../../src/features/search/filters/model/index.ts'
import { tasks } from '../../../../src/features/tasks/tasks/model/index.ts'
import { operation } from '../../../../src/kernel/operation.ts'
import { faultOf } from '../../../support/faults.ts'
import { createManyTasks, STAGES, type TaskFacts, TIME_ZONE } from '../../../support/many-tasks.ts'
import { type Actor, world } from '../../../support/world.ts'

/** Returns the tasks visible to the caller that match a filter rule or its negation. */
const probe = operation({
  name: 'tasks.probe',
  summary: 'Which tasks fit a rule',
  needs: 'tasks:read',
  dependsOn: [],
  on: { rest: 'POST /api/v1/probe' },
  input: t.Object({
    rule: t.Unknown(),
    negated: t.Optional(t.Boolean()),
    project_id: t.Optional(t.Integer()),
  }),
  output: t.Object({ fit: t.Array(t.Integer()), warned: t.Array(t.String()) }),
  async run({ rule, negated, project_id }, ctx) {
    const scope = await scopeOf(ctx, project_id)
    const warnings: string[] = []
    const warn = (_: string, code: string, message: string) => void warnings.push(code, message)
    const condition = await ruleCondition({ ...ctx, warn }, scope, rule as Rule, 'rule')
    const rows = await ctx.tx
      .select({ task_id: tasks.task_id })
      .from(tasks)
      .where(and(inScope(ctx, scope), negated ? not(condition) : condition))
      .orderBy(tasks.task_id)
    return { fit: rows.map(({ task_id }) => task_id), warned: warnings }
  },
})

type Probe = { rule: Rule; negated?: boolean; project_id?: number }
const runProbe = (actor: Actor, probeInput: Probe): Promise<{ fit: number[]; warned: string[] }> =>
  (actor as never as Record<string, (input: Probe) => Promise<never>>)['tasks.probe']!(probeInput)

const dayOf = (moment: string) =>
  Temporal.Instant.from(moment).toZonedDateTimeISO(TIME_ZONE).toPlainDate().toString()
const add = (day: string, days: number) => Temporal.PlainDate.from(day).add({ days }).toString()

type PlainValue = string | number | boolean | null | string[]

/** Reads each field of a task naively, as an independent reference for the filter rules. */
const READERS: Record<string, (task: TaskFacts) => PlainValue> = {
  section: (task) => task.section,
  label: (task) => task.labelNames,
  assignee: (task) => task.assigneeNames,
  created_by: (task) => task.creatorName,
  priority: (task) => task.priority_name,
  size: (task) => task.size,
  status: (task) => task.status,
  title: (task) => task.title,
  description: (task) => task.description,
  parent: (task) => task.parent_task_id,
  ticket_number: (task) => task.ticket_number,
  due_date: (task) => task.due_date,
  start_date: (task) => task.start_date,
  created_at: (task) => task.created_at,
  updated_at: (task) => task.updated_at,
  completed_at: (task) => task.completed_at,
  section_changed_at: (task) => task.sectionChangedAt,
  last_comment_at: (task) => task.lastCommentAt,
  has_comments: (task) => task.commentCount > 0,
  has_attachments: (task) => task.attachmentCount > 0,
  has_due_date: (task) => task.due_date !== null,
  overdue: (task) => task.overdue,
  done: (task) => task.done,
  points: (task) => task.customFields.Points ?? null,
  Note: (task) => task.customFields.Note ?? null,
  Stage: (task) => task.customFields.Stage ?? null,
  Ends: (task) => task.customFields.Ends ?? null,
  Ready: (task) => task.customFields.Ready ?? false,
}

const isNone = (field: string, value: PlainValue) =>
  value === null ||
  (Array.isArray(value) && !value.length) ||
  (field === 'priority' && value === 'None') ||
  (field === 'size' && value === 'none')

function matches(task: TaskFacts, { field, op, value }: Rule, today: string): boolean {
  const actual = READERS[field]!(task)
  const equals = (one: unknown) => {
    const expected = String(one).toLowerCase()
    if (Array.isArray(actual))
      return actual.includes(expected) || (expected === 'none' && !actual.length)
    if (actual === null) return false
    if (DATES.includes(field)) return dateOf(actual as string) === dateOf(expected.toUpperCase())
    return String(actual).toLowerCase() === expected
  }
  // A timestamp is compared with a date by its date; two timestamps are compared as they are.
  const [actualText, expectedText] = [String(actual), String(value)]
  const dateOf = (date: string) =>
    date.length > 10 && expectedText.length === 10 ? dayOf(date) : date
  switch (op) {
    case 'is':
      return equals(value)
    case 'is_not':
      return !equals(value)
    case 'any_of':
      return (value as unknown[]).some(equals)
    case 'none_of':
      return !(value as unknown[]).some(equals)
    case 'empty':
      return isNone(field, actual)
    case 'not_empty':
      return !isNone(field, actual)
    case 'contains':
      return actualText.toLowerCase().includes(expectedText.toLowerCase()) && actual !== null
    case 'within_days': {
      const offset = (value as number) * (FUTURE_DATES.includes(field) ? 1 : -1)
      const [first, last] = [today, add(today, offset)].sort() as [string, string]
      const day = actualText.length > 10 ? dayOf(actualText) : actualText
      return actual !== null && day >= first && day <= last
    }
    default: {
      if (actual === null) return false
      const [one, other] =
        typeof actual === 'number' ? [actual, value as number] : [dateOf(actualText), expectedText]
      return op === 'before' ? one < other : one > other
    }
  }
}

const FUTURE_DATES = ['due_date', 'start_date', 'Ends']
const PAST_DATES = [
  'created_at',
  'updated_at',
  'completed_at',
  'section_changed_at',
  'last_comment_at',
]
const DATES = [...FUTURE_DATES, ...PAST_DATES]

const makeRule = (field: string, op: Rule['op'], value?: fc.Arbitrary<unknown>) =>
  value ? value.map((one): Rule => ({ field, op, value: one })) : fc.constant<Rule>({ field, op })

const choice = (field: string, ...values: unknown[]) => {
  const one = fc.constantFrom(...values)
  const subset = fc.uniqueArray(one, { minLength: 1, maxLength: 3 })
  return [
    ...[makeRule(field, 'is', one), makeRule(field, 'is_not', one)],
    ...[makeRule(field, 'any_of', subset), makeRule(field, 'none_of', subset)],
  ]
}
const emptiness = (field: string) => [makeRule(field, 'empty'), makeRule(field, 'not_empty')]

const DAY = fc.constantFrom('2026-11-18', '2026-11-20', '2026-11-21', '2026-12-03')
const MOMENT = fc.constantFrom('2026-11-20T12:00:00.000Z', '2026-11-21T02:00:00.000Z')
const dateRules = (field: string) => {
  // A field that may hold a date without a time is compared with dates only.
  const operand = PAST_DATES.includes(field) ? fc.oneof(DAY, MOMENT) : DAY
  return [
    ...[
      makeRule(field, 'before', operand),
      makeRule(field, 'after', operand),
      makeRule(field, 'is', DAY),
    ],
    ...[
      makeRule(field, 'is_not', DAY),
      makeRule(field, 'within_days', fc.integer({ min: -4, max: 14 })),
    ],
  ]
}
const texts = fc.constantFrom('pear', 'a', '%', '_', '(c.*)', '.*', 'o')

const RULES = fc.oneof(
  ...choice('section', 'doing', 'Inbox', 'DONE'),
  ...choice('label', 'bug', 'UI'),
  ...choice('assignee', 'cleo', 'Ben', 'bot', 'none'),
  ...choice('created_by', 'Cleo', 'ada'),
  ...choice('priority', 'Urgent', 'none', 'low'),
  ...choice('size', 'XS', 'm', 'none'),
  ...choice('status', 'Normal', 'archive', 'Deleted'),
  ...choice('title', 'Pear', 'APPLE', '100% plum', 'a_b (c.*)', '%'),
  ...choice('parent', 1, '2'),
  ...choice('ticket_number', 'HP-3', 'hp-12'),
  ...['has_comments', 'has_attachments', 'has_due_date', 'overdue', 'done'].flatMap((field) =>
    choice(field, true, false),
  ),
  ...DATES.flatMap(dateRules),
  ...[...DATES.filter((field) => !['created_at', 'updated_at'].includes(field))].flatMap(emptiness),
  ...['label', 'assignee', 'priority', 'size', 'parent', 'description'].flatMap(emptiness),
  makeRule('title', 'contains', texts),
  makeRule('description', 'contains', texts),
  makeRule('Note', 'contains', texts),
  ...choice('points', 1, 2.5, '10', -3, 7),
  makeRule('points', 'before', fc.constantFrom(2, 10, '2.5')),
  makeRule('points', 'after', fc.constantFrom(2, 10, -4)),
  ...choice('Note', 'NORTH', '%', 'south_east'),
  ...choice('Stage', ...STAGES, 'idea'),
  ...choice('Ready', true, false, 'true'),
  ...['points', 'Note', 'Stage', 'Ends'].flatMap(emptiness),
)

test('every filter rule and its negation match the same tasks as a naive implementation', async () => {
  const { cleo, facts, clock, board } = await createManyTasks(7, [probe])
  const today = dayOf(clock.now.toISOString())
  const coveredRules = new Set<string>()
  await fc.assert(
    fc.asyncProperty(RULES, fc.boolean(), fc.boolean(), async (one, negated, onBoard) => {
      coveredRules.add(`${one.field} ${one.op}`)
      const expected = facts.filter((task) => matches(task, one, today) !== negated)
      const project_id = onBoard ? board.project_id : undefined
      const { fit } = await runProbe(cleo, {
        rule: one,
        negated,
        ...(project_id && { project_id }),
      })
      expect(fit).toEqual(expected.map(({ task_id }) => task_id))
    }),
    { numRuns: 500, seed: 1 },
  )
  expect(coveredRules.size).toBeGreaterThan(120)
})

test('rules accept ids of columns, labels, people and parents, and `me` means the caller', async () => {
  const { cleo, ben, facts, sections, labels, bot } = await createManyTasks(11, [probe])
  const fit = async (rule: Rule, actor = cleo) => (await runProbe(actor, { rule })).fit
  const ids = (expected: (task: TaskFacts) => boolean) =>
    facts.filter(expected).map((one) => one.task_id)
  const inDoing = ids(({ section }) => section === 'Doing')
  for (const field of ['section', 'section_id'])
    for (const value of [sections.Doing, String(sections.Doing)])
      expect(await fit({ field, op: 'is', value })).toEqual(inDoing)
  const bugs = ids(({ labelNames }) => labelNames.includes('bug'))
  expect(await fit({ field: 'label', op: 'is', value: labels.bug })).toEqual(bugs)
  const bens = ids(({ assigneeNames }) => assigneeNames.includes('ben'))
  for (const value of [ben.caller.actor_id, String(ben.caller.actor_id)])
    expect(await fit({ field: 'assignee', op: 'is', value })).toEqual(bens)
  expect(await fit({ field: 'assignee', op: 'is', value: 'me' }, ben)).toEqual(bens)
  const { agent_id } = bot.caller
  const bots = ids(({ assigneeNames }) => assigneeNames.includes('bot'))
  expect(await fit({ field: 'assignee', op: 'is', value: agent_id })).toEqual(bots)
  expect(await fit({ field: 'parent', op: 'is', value: 'hp-1' })).toEqual(
    ids(({ parent_task_id }) => parent_task_id === 1),
  )
  expect(await fit({ field: 'parent', op: 'is', value: null })).toEqual(
    ids(({ parent_task_id }) => parent_task_id === null),
  )
})

test('has_pr matches tasks with red checks, with any pull request or with none', async () => {
  const { cleo, facts } = await createManyTasks(7, [probe])
  const fit = async (value: unknown) =>
    (await runProbe(cleo, { rule: { field: 'has_pr', op: 'is', value } })).fit
  const ids = (expected: (badge: string | null) => boolean) =>
    facts.filter(({ badge }) => expected(badge)).map(({ task_id }) => task_id)
  expect(await fit('red')).toEqual(ids((badge) => badge === 'red'))
  expect(await fit('red')).not.toEqual([])
  expect(await fit(true)).toEqual(ids((badge) => badge !== null))
  expect(await fit('false')).toEqual(ids((badge) => badge === null))
})

test('today, yesterday and tomorrow are dates in the time zone of the caller', async () => {
  const { cleo, board, sections, clock } = await world({ extraOperations: [probe] })
  // It is 00:30 on the 21st in Berlin, and still the 20th in UTC.
  clock.advance(11.5 * 3_600_000)
  for (const due_date of ['2026-11-20', '2026-11-21', '2026-11-22'])
    await cleo['tasks.create']({
      ...{ project_id: board.project_id, section_id: sections.Next, title: due_date, due_date },
    })
  const fit = async (op: Rule['op'], value: unknown) =>
    (await runProbe(cleo, { rule: { field: 'due_date', op, value } })).fit
  expect(await fit('is', 'today')).toEqual([6])
  expect(await fit('is', 'Yesterday')).toEqual([5])
  expect(await fit('after', 'today')).toEqual([1, 7])
  expect(await fit('before', 'tomorrow')).toEqual([5, 6])
  expect(await fit('within_days', 1)).toEqual([6, 7])
  expect(await fit('within_days', '-1')).toEqual([5, 6])
})

test('blocked and blocking match tasks by their BlockedBy relations', async () => {
  const { cleo, tasks } = await world({ extraOperations: [probe] })
  const { logo, copy } = tasks
  await cleo['relations.create']({
    source_task_id: copy.task_id,
    target_task_id: logo.task_id,
    relation_type: 'BlockedBy',
  })
  const fit = async (field: string, value = true) =>
    (await runProbe(cleo, { rule: { field, op: 'is', value } })).fit
  expect(await fit('blocked')).toEqual([copy.task_id])
  expect(await fit('blocking')).toEqual([logo.task_id])
  expect(await fit('blocked', false)).not.toContain(copy.task_id)
})

test('an invalid filter rule is refused with a code and a hint', async () => {
  const { cleo, board } = await createManyTasks(7, [probe])
  const { project_id } = board
  const many = Array.from({ length: 51 }, (_, i) => i)
  const invalidRules = [
    [{ field: 'asignee', op: 'is', value: 'me' }, 'unknown_field', 'Did you mean assignee?'],
    [{ field: 'Point', op: 'is', value: 1 }, 'unknown_field', 'Did you mean Points?'],
    [{ field: 'constructor', op: 'is', value: 1 }, 'unknown_field', 'Known fields: section'],
    [{ field: 'label', op: 'before', value: 'bug' }, 'out_of_range', 'label takes is, is_not'],
    [{ field: 'label', op: 'like', value: 'bug' }, 'out_of_range', 'label takes is, is_not'],
    [{ field: 'label', op: 'toString', value: 'bug' }, 'out_of_range', 'label takes is'],
    [{ field: 'label', op: 'is' }, 'required', undefined],
    [{ field: 'label', op: 'is', value: ['bug'] }, 'invalid_type', undefined],
    [{ field: 'label', op: 'is', value: { name: 'bug' } }, 'invalid_type', undefined],
    [{ field: 'label', op: 'any_of', value: many }, 'too_long', undefined],
    [{ field: 'label', op: 'any_of', value: [['bug']] }, 'invalid_type', undefined],
    [{ field: 'label', op: 'empty', value: 'bug' }, 'conflict', undefined],
    [{ field: 'priority', op: 'is', value: 5 }, 'out_of_range', undefined],
    [{ field: 'priority', op: 'is', value: 'huge' }, 'invalid_type', undefined],
    [{ field: 'size', op: 'is', value: 1 }, 'out_of_range', undefined],
    [{ field: 'status', op: 'is', value: 'Open' }, 'out_of_range', undefined],
    [{ field: 'due_date', op: 'before', value: 'soon' }, 'invalid_format', undefined],
    [{ field: 'due_date', op: 'before', value: 7 }, 'invalid_type', 'For example 2026-12-01'],
    [{ field: 'due_date', op: 'within_days', value: 1.5 }, 'out_of_range', undefined],
    [{ field: 'due_date', op: 'within_days', value: 1e9 }, 'out_of_range', undefined],
    [{ field: 'overdue', op: 'is', value: 'maybe' }, 'invalid_type', undefined],
    [{ field: 'has_pr', op: 'is', value: 'blue' }, 'out_of_range', undefined],
    [{ field: 'title', op: 'contains', value: ' ' }, 'invalid_type', undefined],
    [{ field: 'title', op: 'contains', value: 'x'.repeat(501) }, 'too_long', undefined],
    [{ field: 'Points', op: 'is', value: 'many' }, 'invalid_type', undefined],
    [{ field: 'Points', op: 'contains', value: '1' }, 'out_of_range', 'Points takes is'],
    [
      { field: 'Ends', op: 'before', value: '2026-12-01T09:00:00Z' },
      'invalid_format',
      'For example',
    ],
  ] as const
  for (const [rule, code, hint] of invalidRules) {
    const fault = await faultOf(runProbe(cleo, { rule: rule as never, project_id }))
    expect([rule, fault.details.field, fault.details.code]).toEqual([rule, 'rule', code])
    if (hint) expect(fault.hint).toStartWith(hint)
  }
})

test('an unknown label, column, person or option matches no task and returns a warning', async () => {
  const { cleo } = await createManyTasks(7, [probe])
  for (const [field, value] of [
    ['label', 'gone'],
    ['label', 999],
    ['section', 'Nowhere'],
    ['assignee', 'Zoe'],
    ['created_by', 'Zoe'],
    ['Stage', 'Lost'],
  ] as const) {
    const { fit, warned: warnings } = await runProbe(cleo, { rule: { field, op: 'is', value } })
    expect([field, fit, warnings[0]]).toEqual([field, [], 'not_found'])
    expect(warnings[1]).toContain(String(value))
    expect((await runProbe(cleo, { rule: { field, op: 'is_not', value } })).fit).toHaveLength(40)
  }
})

test('a field of a hidden board is unknown, and one of an archived board needs project_id', async () => {
  const { otto, ada, board } = await createManyTasks(7, [probe])
  const rule: Rule = { field: 'Points', op: 'not_empty' }
  expect((await faultOf(runProbe(otto, { rule }))).details.code).toBe('unknown_field')
  await ada['projects.archive']({ project_id: board.project_id, status: 'Archive' })
  expect((await faultOf(runProbe(ada, { rule }))).details.code).toBe('unknown_field')
  expect((await runProbe(ada, { rule, project_id: board.project_id })).fit).not.toEqual([])
})
