import type { TaskRecord } from '../../src/features/tasks/records/model/schema.ts'
import { updateDerivedColumns } from '../../src/features/tasks/tasks/model/index.ts'
import type { AnyOperation } from '../../src/kernel/operation.ts'
import { world } from './world.ts'

export const TIME_ZONE = 'Europe/Berlin'
const DAYS = ['2026-11-18', '2026-11-20', '2026-11-21', '2026-12-03']
const TITLES = ['apple', 'Pear', 'plum tart', '100% plum', 'Apple', 'a_b (c.*)']
export const STAGES = ['Idea', 'Trial', 'Sold']
const BADGES = ['red', 'pending', 'green', 'merged'] as const

/** A task with the values it was created with, for comparison with the stored ones. */
export type TaskFacts = TaskRecord & {
  labelNames: string[]
  assigneeNames: string[]
  creatorName: string
  commentCount: number
  lastCommentAt: string | null
  attachmentCount: number
  badge: string | null
  sectionChangedAt: string
  customFields: { Points?: number; Note?: string; Stage?: string; Ends?: string; Ready?: boolean }
}

/** Pseudo-random numbers, reproducible from the seed. */
function seededRandom(seed: number) {
  let state = seed
  return (limit: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % limit
  }
}

/** Creates forty tasks in which every field of a task is sometimes set and sometimes empty. */
export async function createManyTasks(seed = 7, extraOperations: readonly AnyOperation[] = []) {
  const w = await world({ extraOperations })
  const { ada, cleo, ben, bot, clock, board, sections, store } = w
  const random = seededRandom(seed)
  const { project_id } = board
  for (const [name, type] of [
    ['Points', 'number'],
    ['Note', 'text'],
    ['Ends', 'date'],
    ['Ready', 'checkbox'],
  ] as const)
    await ada['custom_fields.create']({ project_id, name, type })
  const options = STAGES.map((label) => ({ label }))
  await ada['custom_fields.create']({ project_id, name: 'Stage', type: 'select', options })
  const factsByTask = new Map<number, Omit<TaskFacts, keyof TaskRecord>>()
  const sectionIds = Object.values(sections)
  for (let i = 0; i < 36; i++) {
    if (random(2)) clock.advance(7_200_000)
    const actor = random(2) ? cleo : ben
    const day = DAYS[random(DAYS.length)]!
    const { task_id } = await actor['tasks.create']({
      project_id,
      title: TITLES[random(TITLES.length)]!,
      ...(random(3) === 0 && { description: 'a word about 50% of Pears' }),
      section_id: sectionIds[random(5)]!,
      priority: random(5),
      estimate: [0, 2, 3, 4, 5, 6][random(6)]!,
      ...(random(3) && { due_date: random(2) ? day : `${day}T12:00:00.000Z` }),
      ...(random(3) === 0 && { start_date: `${DAYS[random(4)]}T08:00:00.000Z` }),
      labels: ['bug', 'ui'].filter(() => random(3) === 0),
      assignee_ids: [cleo, ben].filter(() => random(3) === 0).map((one) => one.caller.actor_id),
      ...(random(5) === 0 && { parent_task_id: w.tasks.logo.task_id }),
    })
    if (random(6) === 0) await cleo['tasks.assign']({ task_id, agent_id: bot.caller.agent_id! })
    if (random(3) === 0) clock.advance(3_600_000)
    let moved: string | undefined
    if (random(4) === 0) {
      const before = (await actor['tasks.get']({ task_id })) as TaskRecord
      const section_id = sectionIds[random(5)]!
      await actor['tasks.update']({ task_id, section_id })
      if (section_id !== before.section_id) moved = clock.now.toISOString()
    }
    const commentCount = random(3) ? 0 : 1 + random(3)
    const attachmentCount = random(4) ? 0 : 1
    const badge = random(3) ? null : BADGES[random(4)]!
    await store.write((tx) =>
      updateDerivedColumns(tx, task_id, {
        comment_count: commentCount,
        last_comment_at: commentCount ? clock.now : null,
        attachment_count: attachmentCount,
        pr_badge: badge,
      }),
    )
    const customFields: TaskFacts['customFields'] = {
      ...(random(2) && { Points: [1, 2.5, 10, -3][random(4)]! }),
      ...(random(3) === 0 && { Note: ['north', 'South_east', '%'][random(3)]! }),
      ...(random(2) && { Stage: STAGES[random(3)]! }),
      ...(random(3) === 0 && { Ends: DAYS[random(4)]! }),
      ...(random(3) === 0 && { Ready: random(2) === 0 }),
    }
    for (const [field_name, value] of Object.entries(customFields))
      await actor['custom_fields.set']({ task_id, field_name, value })
    if (random(7) === 0)
      await actor['tasks.update']({ task_id, status: random(2) ? 'Archive' : 'Deleted' })
    const lastCommentAt = commentCount ? clock.now.toISOString() : null
    const rest = { commentCount, lastCommentAt, attachmentCount, badge, customFields }
    factsByTask.set(task_id, {
      ...rest,
      labelNames: [],
      assigneeNames: [],
      creatorName: '',
      sectionChangedAt: moved ?? '',
    })
  }
  const facts: TaskFacts[] = []
  for (let task_id = 1; task_id <= 40; task_id++) {
    const task = (await cleo['tasks.get']({ task_id })) as TaskRecord
    const extra = factsByTask.get(task_id) ?? {
      ...{
        commentCount: 0,
        lastCommentAt: null,
        attachmentCount: 0,
        badge: null,
        customFields: {},
        sectionChangedAt: '',
      },
    }
    facts.push({
      ...task,
      ...extra,
      sectionChangedAt: extra.sectionChangedAt || task.created_at,
      labelNames: task.labels.map(({ name }) => name),
      assigneeNames: task.assignees.map(({ name }) => name.toLowerCase()),
      creatorName: task.created_by.name.toLowerCase(),
    })
  }
  return { ...w, facts, random }
}
