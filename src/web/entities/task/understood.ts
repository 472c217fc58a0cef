import { cache, queryKeyOf } from '../../data/cache.ts'
import { callOperation, type Input, type Output } from '../../data/client.ts'
import { mayHaveFields } from './title-words.ts'

export type ParsedTitle = NonNullable<Output<'my_tasks.add'>['understood']>
export type TitlePart = ParsedTitle['parts'][number]

/** A typed title, and the board whose labels and people it may name. */
export interface TitleLine {
  title: string
  view_id?: string | undefined
  project_id?: number | undefined
  /** The task is created on this board, so the title names no other. */
  keepsBoard?: boolean
}

/** The request that reads a title. */
export const readingOf = ({ title, view_id, project_id, keepsBoard }: TitleLine) =>
  ({
    ...{ title: title.trim(), natural: true, dry_run: true },
    ...(keepsBoard && { keep_board: true }),
    ...(view_id && { view_id }),
    ...(project_id && { project_id }),
  }) satisfies Input<'my_tasks.add'>

/** A title without fields is not sent to the server. */
export const isReadable = ({ title }: TitleLine) => mayHaveFields(title.trim())

/** A server that takes longer is not waited for: the line becomes the title. */
const PATIENCE_MS = 1500

/** What the server understands of a title; undefined if it does not answer. */
async function readTitle(line: TitleLine): Promise<ParsedTitle | undefined> {
  if (!isReadable(line)) return undefined
  const input = readingOf(line)
  const answer = cache.fetchQuery({
    queryKey: queryKeyOf('my_tasks.add', input),
    queryFn: ({ signal }) => callOperation('my_tasks.add', input, { signal }),
    retry: false,
  })
  const tooLate = new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE_MS))
  const result = await Promise.race([answer.catch(() => undefined), tooLate])
  return result?.understood
}

/** New labels are understood from now on. */
export const forgetReadings = () => cache.invalidateQueries({ queryKey: ['my_tasks.add'] })

/** The fields of a new task that a typed line names. */
export interface TypedTask
  extends Pick<
    Input<'tasks.create'>,
    'title' | 'due_date' | 'recurrence' | 'priority' | 'estimate' | 'labels' | 'assignee_ids'
  > {
  /** Agents are assigned once the task exists. */
  agent_ids?: readonly string[]
}

/** What a line means on a board. A line of nothing but fields is the title itself. */
export async function typedTaskOf(project_id: number, line: string): Promise<TypedTask> {
  const parsed = await readTitle({ title: line, project_id, keepsBoard: true })
  return parsed && /[\p{L}\p{N}\p{S}]/u.test(parsed.title) ? fieldsOf(parsed) : { title: line }
}

function fieldsOf({ title, parts, ...parsed }: ParsedTitle): TypedTask {
  const { due_date, recurrence, priority, estimate, labels, assignees } = parsed
  // Without names, the server answers with the caller, who is the assignee in My Tasks.
  const people = parts.some(({ means }) => means === 'assignees') ? assignees : []
  const userIds = people.flatMap(({ user_id }) => user_id ?? [])
  return {
    title,
    ...(due_date && { due_date }),
    ...(recurrence && { recurrence }),
    ...(priority && { priority }),
    ...(estimate && { estimate }),
    ...(labels.length && { labels }),
    ...(userIds.length && { assignee_ids: userIds }),
    agent_ids: people.flatMap(({ agent_id }) => agent_id ?? []),
  }
}
