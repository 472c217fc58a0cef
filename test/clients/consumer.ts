/** Compiled by a test against the built package: the types say what the API takes and returns. */
import {
  type Board,
  type Client,
  CorkboardError,
  createClient,
  type Task,
  type TaskRow,
} from '@corkboard/client'

const client: Client = createClient({ url: 'http://127.0.0.1:3210', token: 'secret' })

export async function titles(project_id: number): Promise<string[]> {
  const all: string[] = []
  for await (const row of client.tasks.list({ project_id, labels: ['urgent'] }))
    all.push(row.title ?? '')
  return all
}

export async function readAll(): Promise<[Task, TaskRow[], Board[]]> {
  const task = await client.tasks.get({ task: 'HOM-1', format: 'markdown' })
  const { items } = await client.tasks.list()
  return [task, items, await client.projects.list().all()]
}

export async function wrong() {
  // @ts-expect-error -- a task needs a title
  await client.tasks.create({ project_id: 1 })
  // @ts-expect-error -- there is no such format
  await client.tasks.get({ task: 'HOM-1', format: 'pdf' })
  // @ts-expect-error -- there is no such operation
  await client.tasks.explode({ task: 'HOM-1' })
}

export const isMissing = (error: unknown) => error instanceof CorkboardError && error.status === 404
