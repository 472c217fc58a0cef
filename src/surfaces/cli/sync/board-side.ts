import type { OperationDescription } from '../../../kernel/operation.ts'
import type { Client } from '../client.ts'
import { CommandError } from '../command.ts'
import { fetchRows } from '../fetch-rows.ts'
import { requestFor } from '../request.ts'

interface Actor {
  kind: string
  user_id?: number
  name: string
}

export interface BoardComment {
  comment_id: number
  author: Actor
  text: string
  created_at: string
}

/** A task as an export has it. */
export interface BoardTask {
  task_id: number
  ticket_number: string
  title: string
  description: string | null
  section_id: number
  section: string
  done: boolean
  priority: number
  labels: { name: string }[]
  assignees: Actor[]
  created_by: Actor
  created_at: string
  due_date: string | null
  parent: string | null
  relations: { relation_type: string; ticket_number: string }[]
  comments: BoardComment[]
}

export interface BoardSide {
  project_id: number
  key: string
  columns: { section_id: number; title: string; done: boolean }[]
  /** The tasks that are neither archived nor deleted, in their order. */
  tasks: Map<number, BoardTask>
  /** Archived tasks, with their keys and whether they are done. */
  archived: Map<number, { key: string; section: string; done: boolean }>
}

type Catalog = readonly OperationDescription[]

/** Reads everything on a board that files can have. */
export async function readBoard(
  client: Client,
  catalog: Catalog,
  project_id: number,
): Promise<BoardSide> {
  const exported = await readExport(client, catalog, project_id)
  const list = catalog.find(({ name }) => name === 'tasks.list')!
  const { data } = await fetchRows(client, list, { project_id, status: 'Archive' }, true)
  const archived = data as (BoardTask & { status: string })[]
  return {
    project_id,
    key: exported.key,
    columns: exported.columns,
    tasks: new Map(exported.tasks.map((task) => [task.task_id, task])),
    archived: new Map(
      archived.map(({ task_id, ticket_number, section, done }) => [
        task_id,
        { key: ticket_number, section, done: done ?? false },
      ]),
    ),
  }
}

interface Exported {
  key: string
  columns: BoardSide['columns']
  tasks: BoardTask[]
}

async function readExport(client: Client, catalog: Catalog, project_id: number): Promise<Exported> {
  const op = catalog.find(({ name }) => name === 'projects.export')!
  const request = requestFor(op, { project_id, format: 'json' })
  const response = await client.open(request, { accept: '*/*' })
  try {
    return (await response.json()) as Exported
  } catch (error) {
    throw new CommandError(`The board could not be read: ${(error as Error).message}. Try again`)
  }
}
