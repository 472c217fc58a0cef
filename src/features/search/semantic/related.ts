import { plainOf } from '../../../content/index.ts'
import type { Context, Looking } from '../../../kernel/caller.ts'
import { fault } from '../../../kernel/fault.ts'
import { type Address, locateTask, type Task } from '../../tasks/index.ts'
import type { RelatedTask } from './schema.ts'
import { glance } from './seeking.ts'
import { rounded, type Seen } from './shown.ts'

/** What a text is about is said by then. */
const MOST_LETTERS = 20_000

interface Given extends Address {
  text?: string | undefined
}

/** What to search for: `beside` excludes the texts of that task, `project_id` all other boards. */
interface Likeness {
  text: string
  beside?: number
  project_id?: number | undefined
}

/** What a text or a task is about. Beside a text, `project_id` is the board to search. */
export async function likeness(ask: Looking, { text, ...named }: Given): Promise<Likeness> {
  const { project_id, ...task_ids } = named
  const isNamed = Object.values(task_ids).some((value) => value !== undefined)
  if (text !== undefined && isNamed)
    throw fault.invalid(
      'text',
      'conflict',
      'text and a task cannot both be given',
      undefined,
      'Give a task, by ticket_number or task_id, or a text',
    )
  if (text !== undefined) {
    if (text.trim()) return { text: text.slice(0, MOST_LETTERS), project_id }
    throw fault.invalid('text', 'required', 'text holds nothing to look for', text)
  }
  if (!isNamed)
    throw fault.invalid(
      'text',
      'required',
      'Nothing was named to look for what is like it',
      undefined,
      'Give a task, by ticket_number or task_id, or a text',
    )
  const task = await ask.read(async (tx) => (await locateTask(glance(ask, tx), named)).task)
  return { text: wordsOf(task), beside: task.task_id }
}

const wordsOf = ({ title, description, content_type }: Task) =>
  `${title}\n${plainOf((description ?? '').slice(0, MOST_LETTERS), content_type)}`

/** One row a task, with the passage that is most like it. */
export function likeTask({ server }: Context, seen: readonly Seen[], limit: number): RelatedTask[] {
  const best = new Map<number, Seen>()
  for (const one of seen) if (!best.has(one.task.task_id)) best.set(one.task.task_id, one)
  return [...best.values()].slice(0, limit).map(({ task, passage }) => ({
    ...{ ticket_number: task.ticket_number, title: task.title },
    ...{ score: rounded(passage.score), passage: passage.text || task.title, kind: passage.kind },
    ...{ task_id: task.task_id, project_id: task.project_id },
    done: task.completed_at !== null,
    url: `${server.url}/t/${task.ticket_number}`,
  }))
}
