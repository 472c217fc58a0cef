import type { Database } from 'bun:sqlite'
import { asc, gt } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import { generateKeyBetween } from 'fractional-indexing'
import { indexTask } from '../../src/features/search/text_index/model/index.ts'
import { tasks } from '../../src/features/tasks/tasks/model/index.ts'
import type { Tx } from '../../src/kernel/caller.ts'
import { compactTexts } from '../../src/store/text-segments.ts'
import type { Board, Fixture } from './fixture.ts'
import { conversationInserter, countComments } from './insert-comments.ts'
import {
  ASSIGNEE_FIELDS,
  CHANGE_FIELDS,
  inserter,
  LABEL_FIELDS,
  TASK_FIELDS,
  VERSION_FIELDS,
} from './inserter.ts'
import { type Random, seededRandom } from './random.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** The tasks of each board were created between these times, in the order of their numbers. */
const FIRST_CREATED_AT = Date.UTC(2025, 0, 1)
const CREATION_PERIOD_MS = 600 * DAY_MS

/** Adds members until the team has `count` people. Returns their ids. */
export function addPeople(database: Database, { team_id, owner_id }: Fixture, count: number) {
  const actor = inserter(database, 'actors', ['kind', 'name', 'created_at'])
  const person = inserter(database, 'people', [
    ...['actor_id', 'email', 'time_zone', 'locale', 'created_at'],
  ])
  const member = inserter(database, 'members', ['team_id', 'actor_id', 'role', 'joined_at'])
  const people = [owner_id]
  for (let at = 1; at < count; at++) {
    const name = `Person ${at}`
    const actor_id = actor({ kind: 'person', name, created_at: FIRST_CREATED_AT })
    const email = `person${at}@example.com`
    person({ actor_id, email, time_zone: 'UTC', locale: 'en', created_at: FIRST_CREATED_AT })
    member({ team_id, actor_id, role: 'member', joined_at: FIRST_CREATED_AT })
    people.push(actor_id)
  }
  return people
}

/** Functions that insert a row into each table. */
function insertersFor(database: Database) {
  return {
    task: inserter(database, 'tasks', [...TASK_FIELDS, 'reminded']),
    label: inserter(database, 'task_labels', LABEL_FIELDS),
    assignee: inserter(database, 'task_assignees', [...ASSIGNEE_FIELDS, 'open']),
    version: inserter(database, 'description_versions', VERSION_FIELDS),
    change: inserter(database, 'changes', CHANGE_FIELDS),
  }
}

/** Inserts the tasks of a board with everything about them, as the product would have done. */
export function fillBoard(database: Database, fixture: Fixture, board: Board) {
  const insert = insertersFor(database)
  const ranks = new Map<number, string>()
  const random = seededRandom(board.project_id)
  const insertConversation = conversationInserter(database, fixture, random)
  let parent: number | null = null
  database.transaction(() => {
    for (let number = 1; number <= board.tasks; number++) {
      const createdAt = Math.floor(FIRST_CREATED_AT + (CREATION_PERIOD_MS * number) / board.tasks)
      const task = randomTask(random, fixture, board, number, createdAt)
      const rank = generateKeyBetween(ranks.get(task.section_id) ?? null, null)
      ranks.set(task.section_id, rank)
      const task_id = insert.task({ ...task, rank, parent_task_id: parent })
      insertDetails(insert, random, fixture, board, { ...task, task_id })
      insertConversation({ ...task, task_id })
      parent = random.boolean(0.05) ? task_id : null
    }
    const next = 'update projects set next_number = ? where project_id = ?'
    database.run(next, [board.tasks + 1, board.project_id])
  })()
}

function randomTask(
  random: Random,
  fixture: Fixture,
  board: Board,
  number: number,
  created_at: number,
) {
  const { team_id, people } = fixture
  const { project_id, key, sections } = board
  const column = random.below(sections.length)
  const hasText = random.boolean(0.5)
  const due = random.boolean(0.6) ? created_at + random.below(90) * DAY_MS : null
  const day = due && new Date(due).toISOString().slice(0, 10)
  return {
    ...{ team_id, project_id, section_id: sections[column]!, unique_index: number },
    ...{ ticket_number: `${key}-${number}`, title: random.words(5) },
    ...{ description: hasText ? `<p>${random.words(40)}</p>` : null, content_type: 'html' },
    ...{ description_version: hasText ? 1 : 0, priority: random.below(5) },
    ...{ estimate: [0, 2, 3, 4, 5, 6][random.below(6)]!, due_date: day },
    due_at: day && Date.parse(day) + DAY_MS,
    // Marks the reminders as sent, or the server would send them all after its start.
    reminded: 2,
    start_date: random.boolean(0.2) ? created_at + DAY_MS : null,
    ...{ status: 'Normal', created_by: people[random.below(people.length)]! },
    ...{ created_at, section_changed_at: created_at },
    updated_at: created_at + random.below(30 * DAY_MS),
    completed_at: column === sections.length - 1 ? created_at + DAY_MS : null,
  }
}

type InsertedTask = ReturnType<typeof randomTask> & { task_id: number }

/** Inserts labels, assignees, the version of the text and the changes of a task. */
function insertDetails(
  insert: ReturnType<typeof insertersFor>,
  random: Random,
  { people }: Fixture,
  { labels }: Board,
  task: InsertedTask,
) {
  const { team_id, project_id, task_id, description, ticket_number, created_at } = task
  const link = { team_id, task_id, project_id, status: task.status }
  const sample = <T>(items: T[], max: number) =>
    new Set(randomItems(random, items, random.below(max + 1)))
  for (const label_id of sample(labels, 3)) insert.label({ ...link, label_id })
  if (description) {
    const version = { version: 1, content: description, content_type: 'html' }
    insert.version({ ...{ team_id, task_id, created_at }, ...version, author_id: task.created_by })
  }
  const change = { team_id, project_id, task_id, actor_id: task.created_by, created_at }
  const { title, section_id } = task
  const created = JSON.stringify({ ticket_number, title, section_id })
  insert.change({ ...change, type: 'task.created', data: created })
  for (const actor_id of sample(people, 2)) {
    insert.assignee({ ...link, actor_id, open: task.completed_at === null ? 1 : 0 })
    const data = JSON.stringify({ ticket_number, actor: { user_id: actor_id, kind: 'person' } })
    insert.change({ ...change, type: 'task.assigned', data })
  }
}

const randomItems = <T>(random: Random, items: T[], count: number): T[] =>
  Array.from({ length: count }, () => items[random.below(items.length)]!)

/** Updates what the product derives from the rows, and marks all changes as processed. */
export function updateDerivedRows(database: Database) {
  database.run('update followers set seq = (select max(seq) from changes)')
  database.run(
    'update tasks set assigned = true where task_id in (select task_id from task_assignees)',
  )
  database.run('delete from section_counts')
  database.run(
    `insert into section_counts (team_id, project_id, section_id, tasks)
     select team_id, project_id, section_id, count(*) from tasks where status = 'Normal'
     group by team_id, project_id, section_id`,
  )
  countComments(database)
}

const INDEX_BATCH = 5000

/** Fills the text index with the product's own code. */
export async function fillIndex(database: Database): Promise<void> {
  const tx = drizzle(database) as unknown as Tx
  database.run('BEGIN')
  for (let after = 0; ; ) {
    const batch = await tx
      .select()
      .from(tasks)
      .where(gt(tasks.task_id, after))
      .orderBy(asc(tasks.task_id))
      .limit(INDEX_BATCH)
    if (!batch.length) break
    await indexTask(tx, ...batch)
    after = batch.at(-1)!.task_id
  }
  // A server does so within minutes.
  for (let isFirst = true; await compactTexts(tx, isFirst); isFirst = false);
  database.run('COMMIT')
}
