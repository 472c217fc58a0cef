import { plainOf } from '../../../../../content/index.ts'
import type { Context, PrepareContext } from '../../../../../kernel/caller.ts'
import { fault } from '../../../../../kernel/fault.ts'
import { type Address, locateTask, type Task } from '../../../../tasks/tasks/model/index.ts'
import type { RelatedTask } from './schema.ts'
import { readOnlyContext } from './search-passages.ts'
import { roundScore, type VisiblePassage } from './visible-passages.ts'

/** Characters of a text that are compared; its topic is clear by then. */
const MAX_TEXT = 20_000

interface RelatedInput extends Address {
  text?: string | undefined
  /** Only tasks on the board of the given task. */
  same_board?: boolean | undefined
}

/** What to search for: `beside` excludes the texts of that task, `project_id` all other boards. */
interface RelatedQuery {
  text: string
  isQuery?: boolean
  beside?: number
  project_id?: number | undefined
}

/** Resolves the text to search for. With a text, `project_id` is the board to search. */
export async function relatedQuery(
  ask: PrepareContext,
  { text, same_board, ...named }: RelatedInput,
): Promise<RelatedQuery> {
  const { project_id, ...task_ids } = named
  const isNamed = Object.values(task_ids).some((value) => value !== undefined)
  if (text !== undefined && isNamed)
    throw fault.invalid(
      'text',
      'conflict',
      'Send a task or text, not both',
      undefined,
      'Send a task (ticket_number or task_id) or text',
    )
  if (text !== undefined) {
    if (text.trim()) return { text: text.slice(0, MAX_TEXT), isQuery: isQuery(text), project_id }
    throw fault.invalid('text', 'required', 'text has no search terms', text)
  }
  if (!isNamed)
    throw fault.invalid(
      'text',
      'required',
      'A task or text is required',
      undefined,
      'Send a task (ticket_number or task_id) or text',
    )
  const task = await ask.read(
    async (tx) => (await locateTask(readOnlyContext(ask, tx), named)).task,
  )
  const board = same_board ? { project_id: task.project_id } : {}
  return { text: textOf(task), beside: task.task_id, ...board }
}

const MAX_QUERY = 2000

/** A longer text is a document, in which `-x` and `due:today` are no operators. */
const isQuery = (text: string) => text.length <= MAX_QUERY && !text.trim().includes('\n')

const textOf = ({ title, description, content_type }: Task) =>
  `${title}\n${plainOf((description ?? '').slice(0, MAX_TEXT), content_type)}`

/** One row per task, with its most similar passage. */
export function bestPerTask(
  { server }: Context,
  visible: readonly VisiblePassage[],
  limit: number,
): RelatedTask[] {
  const best = new Map<number, VisiblePassage>()
  for (const match of visible)
    if (!best.has(match.task.task_id)) best.set(match.task.task_id, match)
  return [...best.values()].slice(0, limit).map(({ task, passage }) => ({
    ticket_number: task.ticket_number,
    title: task.title,
    score: roundScore(passage.score),
    passage: passage.text || task.title,
    kind: passage.kind,
    task_id: task.task_id,
    project_id: task.project_id,
    done: task.completed_at !== null,
    url: `${server.url}/t/${task.ticket_number}`,
  }))
}
