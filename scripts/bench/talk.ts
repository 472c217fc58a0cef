import type { Database } from 'bun:sqlite'
import { snippetOf } from '../../src/content/index.ts'
import type { Facts } from './facts.ts'
import { CHANGE_FIELDS, inserter } from './inserts.ts'
import type { chance } from './words.ts'

const HOUR_MS = 60 * 60 * 1000
const COMMENT_FIELDS = ['team_id', 'task_id', 'author_id', 'text', 'content_type', 'created_at']
const RELATION_FIELDS = ['team_id', 'kind', 'first_id', 'second_id', 'created_by', 'created_at']

type Dice = ReturnType<typeof chance>

/** A task that stands in the database already. */
interface Told {
  team_id: number
  project_id: number
  task_id: number
  ticket_number: string
  created_by: number
  created_at: number
}

/** What people say about the tasks of a board and how they tie them, with what the product tells of it. */
export function talkers(database: Database, { people }: Facts, dice: Dice) {
  const comment = inserter(database, 'comments', COMMENT_FIELDS)
  const relation = inserter(database, 'relations', RELATION_FIELDS)
  const change = inserter(database, 'changes', CHANGE_FIELDS)
  const someone = () => people[dice.below(people.length)]!

  function say(task: Told, created_at: number) {
    const { team_id, project_id, task_id, ticket_number } = task
    const author_id = someone()
    const text = `<p>${dice.words(20 + dice.below(41))}</p>`
    const written = { author_id, text, content_type: 'html', created_at }
    const comment_id = comment({ team_id, task_id, ...written })
    const snippet = snippetOf(text, 'html')
    const place = { team_id, project_id, task_id, actor_id: author_id, created_at }
    const data = JSON.stringify({ ticket_number, comment_id, snippet, mentioned: [] })
    change({ ...place, type: 'comment.created', data })
  }

  function tie(kind: 'blocks' | 'related', first: Told, second: Told) {
    const { team_id, created_by, created_at } = second
    const ends = { first_id: first.task_id, second_id: second.task_id }
    const relation_id = relation({ team_id, kind, ...ends, created_by, created_at })
    for (const [{ project_id, task_id, ticket_number }, other, seen] of [
      [second, first, 'BlockedBy'],
      [first, second, 'BlockedTo'],
    ] as const) {
      const relation_type = kind === 'related' ? 'RelatedTo' : seen
      const other_ticket_number = other.ticket_number
      const data = JSON.stringify({
        ...{ relation_id, relation_type, ticket_number, other_ticket_number },
      })
      const place = { team_id, project_id, task_id, actor_id: created_by, created_at }
      change({ ...place, type: 'relation.created', data })
    }
  }

  const before: Told[] = []
  /** Ties go from earlier tasks to later ones, so that none of them closes a circle. */
  return ({ team_id, project_id, task_id, ticket_number, created_by, created_at }: Told) => {
    const task = { team_id, project_id, task_id, ticket_number, created_by, created_at }
    const earlier = () => before[dice.below(before.length)]!
    if (dice.happens(1 / 5))
      for (let left = 1 + dice.below(4), hours = 1; left > 0; left--, hours += 1 + dice.below(48))
        say(task, created_at + hours * HOUR_MS)
    if (before.length && dice.happens(1 / 20)) tie('blocks', earlier(), task)
    if (before.length && dice.happens(1 / 50)) tie('related', earlier(), task)
    before.push(task)
  }
}

/** What the product keeps with a task of the comments on it. */
export function countComments(database: Database) {
  database.run(
    `update tasks set comment_count = said.many, last_comment_at = said.last from (
       select task_id, count(*) as many, max(created_at) as last from comments group by task_id
     ) as said where said.task_id = tasks.task_id`,
  )
}
