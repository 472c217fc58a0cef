import type { Database } from 'bun:sqlite'
import { snippetOf } from '../../src/content/index.ts'
import type { Fixture } from './fixture.ts'
import { CHANGE_FIELDS, inserter } from './inserter.ts'
import type { Random } from './random.ts'

const HOUR_MS = 60 * 60 * 1000
const COMMENT_FIELDS = ['team_id', 'task_id', 'author_id', 'text', 'content_type', 'created_at']
const RELATION_FIELDS = ['team_id', 'kind', 'first_id', 'second_id', 'created_by', 'created_at']

/** A task that is already in the database. */
interface InsertedTask {
  team_id: number
  project_id: number
  task_id: number
  ticket_number: string
  created_by: number
  created_at: number
}

/**
 * Returns a function that inserts random comments on a task and relations to earlier tasks of the
 * board, with their entries in the change log.
 */
export function conversationInserter(database: Database, { people }: Fixture, random: Random) {
  const insertComment = commentInserter(database, people, random)
  const insertRelation = relationInserter(database)
  const earlierTasks: InsertedTask[] = []
  const earlierTask = () => earlierTasks[random.below(earlierTasks.length)]!
  return (inserted: InsertedTask) => {
    const { team_id, project_id, task_id, ticket_number, created_by, created_at } = inserted
    const task = { team_id, project_id, task_id, ticket_number, created_by, created_at }
    if (random.boolean(1 / 5))
      for (
        let left = 1 + random.below(4), hours = 1;
        left > 0;
        left--, hours += 1 + random.below(48)
      )
        insertComment(task, created_at + hours * HOUR_MS)
    // Relations lead from earlier tasks to later ones, so that there is no cycle.
    if (earlierTasks.length && random.boolean(1 / 20)) insertRelation('blocks', earlierTask(), task)
    if (earlierTasks.length && random.boolean(1 / 50))
      insertRelation('related', earlierTask(), task)
    earlierTasks.push(task)
  }
}

function commentInserter(database: Database, people: readonly number[], random: Random) {
  const comment = inserter(database, 'comments', COMMENT_FIELDS)
  const change = inserter(database, 'changes', CHANGE_FIELDS)
  return (task: InsertedTask, created_at: number) => {
    const { team_id, project_id, task_id, ticket_number } = task
    const author_id = people[random.below(people.length)]!
    const text = `<p>${random.words(20 + random.below(41))}</p>`
    const fields = { author_id, text, content_type: 'html', created_at }
    const comment_id = comment({ team_id, task_id, ...fields })
    const snippet = snippetOf(text, 'html')
    const data = JSON.stringify({ ticket_number, comment_id, snippet, mentioned: [] })
    const about = { team_id, project_id, task_id, actor_id: author_id, created_at }
    change({ ...about, type: 'comment.created', data })
  }
}

function relationInserter(database: Database) {
  const relation = inserter(database, 'relations', RELATION_FIELDS)
  const change = inserter(database, 'changes', CHANGE_FIELDS)
  return (kind: 'blocks' | 'related', first: InsertedTask, second: InsertedTask) => {
    const { team_id, created_by, created_at } = second
    const ends = { first_id: first.task_id, second_id: second.task_id }
    const relation_id = relation({ team_id, kind, ...ends, created_by, created_at })
    for (const [{ project_id, task_id, ticket_number }, other, blockedType] of [
      [second, first, 'BlockedBy'],
      [first, second, 'BlockedTo'],
    ] as const) {
      const relation_type = kind === 'related' ? 'RelatedTo' : blockedType
      const other_ticket_number = other.ticket_number
      const data = JSON.stringify({
        ...{ relation_id, relation_type, ticket_number, other_ticket_number },
      })
      const about = { team_id, project_id, task_id, actor_id: created_by, created_at }
      change({ ...about, type: 'relation.created', data })
    }
  }
}

/** Updates the columns of tasks that are derived from their comments. */
export function countComments(database: Database) {
  database.run(
    `update tasks set comment_count = counts.count, last_comment_at = counts.last from (
       select task_id, count(*) as count, max(created_at) as last from comments group by task_id
     ) as counts where counts.task_id = tasks.task_id`,
  )
}
