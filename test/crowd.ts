import { updateDerivedColumns } from '../src/features/tasks/index.ts'
import type { TaskRecord } from '../src/features/tasks/schema.ts'
import type { AnyOperation } from '../src/kernel/operation.ts'
import { world } from './world.ts'

export const ZONE = 'Europe/Berlin'
const DAYS = ['2026-11-18', '2026-11-20', '2026-11-21', '2026-12-03']
const TITLES = ['apple', 'Pear', 'plum tart', '100% plum', 'Apple', 'a_b (c.*)']
export const STAGES = ['Idea', 'Trial', 'Sold']
const BADGES = ['red', 'pending', 'green', 'merged'] as const

/** What is known of a task by whoever made it. */
export type Fact = TaskRecord & {
  labelled: string[]
  held: string[]
  by: string
  comments: number
  commented: string | null
  attachments: number
  badge: string | null
  moved: string
  custom: { Points?: number; Note?: string; Stage?: string; Ends?: string; Ready?: boolean }
}

/** A dice that falls the same way each time. */
function diceOf(seed: number) {
  let state = seed
  return (many: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % many
  }
}

/** Forty tasks that have, or lack, everything a task can have. */
export async function crowd(seed = 7, plant: readonly AnyOperation[] = []) {
  const w = await world({ plant })
  const { ada, cleo, ben, bot, clock, board, sections, store } = w
  const dice = diceOf(seed)
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
  const more = new Map<number, Omit<Fact, keyof TaskRecord>>()
  const columns = Object.values(sections)
  for (let i = 0; i < 36; i++) {
    if (dice(2)) clock.pass(7_200_000)
    const who = dice(2) ? cleo : ben
    const day = DAYS[dice(DAYS.length)]!
    const { task_id } = await who['tasks.create']({
      project_id,
      title: TITLES[dice(TITLES.length)]!,
      ...(dice(3) === 0 && { description: 'a word about 50% of Pears' }),
      section_id: columns[dice(5)]!,
      priority: dice(5),
      estimate: [0, 2, 3, 4, 5, 6][dice(6)]!,
      ...(dice(3) && { due_date: dice(2) ? day : `${day}T12:00:00.000Z` }),
      ...(dice(3) === 0 && { start_date: `${DAYS[dice(4)]}T08:00:00.000Z` }),
      labels: ['bug', 'ui'].filter(() => dice(3) === 0),
      assignee_ids: [cleo, ben].filter(() => dice(3) === 0).map((one) => one.caller.actor_id),
      ...(dice(5) === 0 && { parent_task_id: w.tasks.logo.task_id }),
    })
    if (dice(6) === 0) await cleo['tasks.assign']({ task_id, agent_id: bot.caller.agent_id! })
    if (dice(3) === 0) clock.pass(3_600_000)
    let moved: string | undefined
    if (dice(4) === 0) {
      const before = (await who['tasks.get']({ task_id })) as TaskRecord
      const section_id = columns[dice(5)]!
      await who['tasks.update']({ task_id, section_id })
      if (section_id !== before.section_id) moved = clock.now.toISOString()
    }
    const comments = dice(3) ? 0 : 1 + dice(3)
    const attachments = dice(4) ? 0 : 1
    const badge = dice(3) ? null : BADGES[dice(4)]!
    await store.write((tx) =>
      updateDerivedColumns(tx, task_id, {
        comment_count: comments,
        last_comment_at: comments ? clock.now : null,
        attachment_count: attachments,
        pr_badge: badge,
      }),
    )
    const custom: Fact['custom'] = {
      ...(dice(2) && { Points: [1, 2.5, 10, -3][dice(4)]! }),
      ...(dice(3) === 0 && { Note: ['north', 'South_east', '%'][dice(3)]! }),
      ...(dice(2) && { Stage: STAGES[dice(3)]! }),
      ...(dice(3) === 0 && { Ends: DAYS[dice(4)]! }),
      ...(dice(3) === 0 && { Ready: dice(2) === 0 }),
    }
    for (const [field_name, value] of Object.entries(custom))
      await who['custom_fields.set']({ task_id, field_name, value })
    if (dice(7) === 0)
      await who['tasks.update']({ task_id, status: dice(2) ? 'Archive' : 'Deleted' })
    const commented = comments ? clock.now.toISOString() : null
    const rest = { comments, commented, attachments, badge, custom }
    more.set(task_id, { ...rest, labelled: [], held: [], by: '', moved: moved ?? '' })
  }
  const facts: Fact[] = []
  for (let task_id = 1; task_id <= 40; task_id++) {
    const task = (await cleo['tasks.get']({ task_id })) as TaskRecord
    const known = more.get(task_id) ?? {
      ...{ comments: 0, commented: null, attachments: 0, badge: null, custom: {}, moved: '' },
    }
    facts.push({
      ...task,
      ...known,
      moved: known.moved || task.created_at,
      labelled: task.labels.map(({ name }) => name),
      held: task.assignees.map(({ name }) => name.toLowerCase()),
      by: task.created_by.name.toLowerCase(),
    })
  }
  return { ...w, facts, dice }
}
