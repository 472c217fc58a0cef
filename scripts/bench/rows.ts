import type { Database } from 'bun:sqlite'
import { asc, gt } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import { generateKeyBetween } from 'fractional-indexing'
import { wordLearner } from '../../src/features/search/index.ts'
import { indexTask, tasks } from '../../src/features/tasks/index.ts'
import type { Tx } from '../../src/kernel/caller.ts'
import type { LoggedChange } from '../../src/store/log.ts'
import type { Board, Facts } from './facts.ts'
import { CHANGE_FIELDS, inserter, TASK_FIELDS, VERSION_FIELDS } from './inserts.ts'
import { countComments, talkers } from './talk.ts'
import { chance } from './words.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Everything happened before the bench began, the first board longest ago. */
const START = Date.UTC(2025, 0, 1)
const SPAN = 600 * DAY_MS

/** Members of the team, whom tasks are assigned to. */
export function addPeople(database: Database, { team_id, owner_id }: Facts, many: number) {
  const actor = inserter(database, 'actors', ['kind', 'name', 'created_at'])
  const person = inserter(database, 'people', [
    ...['actor_id', 'email', 'time_zone', 'locale', 'created_at'],
  ])
  const member = inserter(database, 'members', ['team_id', 'actor_id', 'role', 'joined_at'])
  const people = [owner_id]
  for (let at = 1; at < many; at++) {
    const name = `Person ${at}`
    const actor_id = actor({ kind: 'person', name, created_at: START })
    const email = `person${at}@example.com`
    person({ actor_id, email, time_zone: 'UTC', locale: 'en', created_at: START })
    member({ team_id, actor_id, role: 'member', joined_at: START })
    people.push(actor_id)
  }
  return people
}

function writers(database: Database) {
  return {
    task: inserter(database, 'tasks', [...TASK_FIELDS, 'reminded']),
    label: inserter(database, 'task_labels', ['team_id', 'task_id', 'label_id']),
    assignee: inserter(database, 'task_assignees', ['team_id', 'task_id', 'actor_id', 'open']),
    version: inserter(database, 'description_versions', VERSION_FIELDS),
    change: inserter(database, 'changes', CHANGE_FIELDS),
  }
}

/** The rows that the product writes for a task and the talk about it, without going through it. */
export function fillBoard(database: Database, facts: Facts, board: Board) {
  const write = writers(database)
  const ranks = new Map<number, string>()
  const dice = chance(board.project_id)
  const talk = talkers(database, facts, dice)
  let parent: number | null = null
  database.transaction(() => {
    for (let number = 1; number <= board.tasks; number++) {
      const at = Math.floor(START + (SPAN * number) / board.tasks)
      const task = taskAt(dice, facts, board, number, at)
      const rank = generateKeyBetween(ranks.get(task.section_id) ?? null, null)
      ranks.set(task.section_id, rank)
      const task_id = write.task({ ...task, rank, parent_task_id: parent })
      addAround(write, dice, facts, board, { ...task, task_id })
      talk({ ...task, task_id })
      parent = dice.happens(0.05) ? task_id : null
    }
    const next = 'update projects set next_number = ? where project_id = ?'
    database.run(next, [board.tasks + 1, board.project_id])
  })()
}

type Dice = ReturnType<typeof chance>

function taskAt(dice: Dice, facts: Facts, board: Board, number: number, created_at: number) {
  const { team_id, people } = facts
  const { project_id, key, sections } = board
  const column = dice.below(sections.length)
  const described = dice.happens(0.5)
  const due = dice.happens(0.6) ? created_at + dice.below(90) * DAY_MS : null
  const day = due && new Date(due).toISOString().slice(0, 10)
  return {
    ...{ team_id, project_id, section_id: sections[column]!, unique_index: number },
    ...{ ticket_number: `${key}-${number}`, title: dice.words(5) },
    ...{ description: described ? `<p>${dice.words(40)}</p>` : null, content_type: 'html' },
    ...{ description_version: described ? 1 : 0, priority: dice.below(5) },
    ...{ estimate: [0, 2, 3, 4, 5, 6][dice.below(6)]!, due_date: day },
    due_at: day && Date.parse(day) + DAY_MS,
    // Whoever starts a server is not told of all that is overdue by then.
    reminded: 2,
    start_date: dice.happens(0.2) ? created_at + DAY_MS : null,
    ...{ status: 'Normal', created_by: people[dice.below(people.length)]! },
    ...{ created_at, section_changed_at: created_at },
    updated_at: created_at + dice.below(30 * DAY_MS),
    completed_at: column === sections.length - 1 ? created_at + DAY_MS : null,
  }
}

type Written = ReturnType<typeof taskAt> & { task_id: number }

function addAround(
  write: ReturnType<typeof writers>,
  dice: Dice,
  { people }: Facts,
  { labels }: Board,
  task: Written,
) {
  const { team_id, project_id, task_id, description, ticket_number, created_at } = task
  const some = <T>(all: T[], most: number) => new Set(several(dice, all, dice.below(most + 1)))
  for (const label_id of some(labels, 3)) write.label({ team_id, task_id, label_id })
  if (description) {
    const version = { version: 1, content: description, content_type: 'html' }
    write.version({ ...{ team_id, task_id, created_at }, ...version, author_id: task.created_by })
  }
  const change = { team_id, project_id, task_id, actor_id: task.created_by, created_at }
  const { title, section_id } = task
  const told = JSON.stringify({ ticket_number, title, section_id })
  write.change({ ...change, type: 'task.created', data: told })
  for (const actor_id of some(people, 2)) {
    write.assignee({ team_id, task_id, actor_id, open: task.completed_at === null ? 1 : 0 })
    const data = JSON.stringify({ ticket_number, actor: { user_id: actor_id, kind: 'person' } })
    write.change({ ...change, type: 'task.assigned', data })
  }
}

const several = <T>(dice: Dice, all: T[], many: number): T[] =>
  Array.from({ length: many }, () => all[dice.below(all.length)]!)

/** What the product derives from the rows is right again, and nothing is left to react to. */
export function settle(database: Database) {
  database.run('update followers set seq = (select max(seq) from changes)')
  database.run('delete from section_counts')
  database.run(
    `insert into section_counts (team_id, project_id, section_id, tasks)
     select team_id, project_id, section_id, count(*) from tasks where status = 'Normal'
     group by team_id, project_id, section_id`,
  )
  countComments(database)
}

const SOME = 5000

/** The text index and the words it hints at, by the product's own code, which decides on them. */
export async function fillIndex(database: Database): Promise<void> {
  const tx = drizzle(database) as unknown as Tx
  const learn = wordLearner()
  database.run('BEGIN')
  for (let after = 0; ; ) {
    const some = await tx
      .select()
      .from(tasks)
      .where(gt(tasks.task_id, after))
      .orderBy(asc(tasks.task_id))
      .limit(SOME)
    if (!some.length) break
    await indexTask(tx, ...some)
    await learn(
      tx,
      some.map(({ task_id }) => ({ type: 'task.created', task_id, data: {} }) as LoggedChange),
    )
    after = some.at(-1)!.task_id
  }
  database.run('COMMIT')
}
