import { ImportProblem } from '../../problem.ts'
import { type ApiOptions, type SourceApi, type SourceFile, textFile } from '../../source.ts'
import { ApiClient, requireToken } from '../shared/api-client.ts'
import { type Json, objectOf, objectsOf, stringOf } from '../shared/json.ts'

const API = 'https://api.todoist.com/api/v1'
const DAY_MS = 86_400_000
/** The API answers at most three months of completed tasks at a time. */
const PERIOD_DAYS = 85

export const todoistApi: SourceApi = {
  token: 'TODOIST_TOKEN',
  matches: ({ hostname }) => /(?:^|\.)todoist\.com$/.test(hostname),
  download,
}

async function* download(options: ApiOptions): AsyncIterable<SourceFile> {
  const wanted = /\/project\/(?:[^/]*-)?(\w+)/.exec(new URL(options.url).pathname)?.[1]
  const token = requireToken(
    options,
    'Todoist',
    'Copy it from Settings > Integrations > Developer, and set TODOIST_TOKEN',
  )
  const client = new ApiClient(options, {
    title: 'Todoist',
    token: 'TODOIST_TOKEN to the token of Settings > Integrations > Developer',
    headers: { authorization: `Bearer ${token}` },
  })
  options.onProgress('Projects and open tasks')
  const body = new URLSearchParams({ sync_token: '*', resource_types: '["all"]' })
  const synced = objectOf((await client.post(`${API}/sync`, body)).body)
  const ofWanted = (list: unknown) =>
    objectsOf(list).filter((item) => !wanted || stringOf(item.project_id) === wanted)
  const done = await completedTasks(client, synced, options)
  const items = [...ofWanted(synced.items), ...ofWanted(done)]
  const notes = objectsOf(synced.notes)
  for (const item of ofWanted(done))
    if (Number(item.note_count) > 0) notes.push(...(await commentsOf(client, stringOf(item.id))))
  const projects = objectsOf(synced.projects).filter(
    (project) => !wanted || stringOf(project.id) === wanted,
  )
  if (wanted && !projects.length)
    throw new ImportProblem('There is no such project', 'Check its address and TODOIST_TOKEN')
  const file = { ...synced, projects, items, notes }
  yield textFile('todoist.json', JSON.stringify(file))
}

async function completedTasks(
  client: ApiClient,
  synced: Json,
  { onProgress }: ApiOptions,
): Promise<Json[]> {
  const first = Date.parse(stringOf(objectOf(synced.user).joined_at)) || Date.now() - 3650 * DAY_MS
  const tasks: Json[] = []
  for (let from = first; from < Date.now(); from += PERIOD_DAYS * DAY_MS) {
    const since = new Date(from).toISOString()
    const until = new Date(from + PERIOD_DAYS * DAY_MS).toISOString()
    onProgress(`Tasks completed since ${since.slice(0, 10)}`)
    const path = `/tasks/completed/by_completion_date?since=${since}&until=${until}&limit=200`
    for await (const task of pages(client, path, 'items')) tasks.push({ ...task, checked: true })
  }
  return tasks
}

async function commentsOf(client: ApiClient, task: string): Promise<Json[]> {
  const comments: Json[] = []
  for await (const comment of pages(client, `/comments?task_id=${task}&limit=200`, 'results'))
    comments.push({ ...comment, item_id: task })
  return comments
}

async function* pages(client: ApiClient, path: string, list: string): AsyncIterable<Json> {
  let cursor = ''
  do {
    const page = await client.getJson(
      `${API}${path}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
    )
    yield* objectsOf(page[list])
    cursor = stringOf(page.next_cursor)
  } while (cursor)
}
