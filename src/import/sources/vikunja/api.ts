import { ImportProblem } from '../../problem.ts'
import { type ApiOptions, type SourceApi, type SourceFile, textFile } from '../../source.ts'
import { ApiClient } from '../shared/api-client.ts'
import { type Json, numberOf, objectOf, objectsOf, stringOf } from '../shared/json.ts'

const PAGE = 50

export const vikunjaApi: SourceApi = {
  token: 'VIKUNJA_TOKEN',
  matches: ({ hostname }) => /vikunja/.test(hostname),
  download,
}

/** Writes what the API returns in the form of an export: `data.json` and files. */
async function* download(options: ApiOptions): AsyncIterable<SourceFile> {
  const url = new URL(options.url)
  const api = `${url.origin}/api/v1`
  const client = new ApiClient(options, {
    title: 'Vikunja',
    token: 'VIKUNJA_TOKEN to an API token that can read projects and tasks',
    headers: options.token ? { authorization: `Bearer ${options.token}` } : {},
  })
  const [, wanted] = /^\/projects\/(\d+)/.exec(url.pathname) ?? []
  const all = await listOf(client, `${api}/projects`, 'is_archived=true')
  const projects = all.filter(({ id }) =>
    wanted ? stringOf(id) === wanted : (numberOf(id) ?? 0) > 0,
  )
  if (!projects.length)
    throw new ImportProblem(
      `Vikunja does not find ${options.url}`,
      'Check the address and the projects that VIKUNJA_TOKEN can read',
    )
  const files: SourceFile[] = []
  const full: Json[] = []
  for (const project of projects) {
    full.push(await projectOf(client, api, project, files))
    options.onProgress(`${full.length} of ${projects.length} projects`)
  }
  yield textFile('data.json', JSON.stringify(full))
  yield* files
}

async function listOf(client: ApiClient, url: string, query = ''): Promise<Json[]> {
  const all: Json[] = []
  for (let page = 1; ; page++) {
    const { body, headers } = await client.get(`${url}?page=${page}&per_page=${PAGE}&${query}`)
    all.push(...objectsOf(body))
    const pages = numberOf(headers.get('x-pagination-total-pages')) ?? 1
    if (page >= pages) return all
  }
}

async function projectOf(
  client: ApiClient,
  api: string,
  project: Json,
  files: SourceFile[],
): Promise<Json> {
  const own = `${api}/projects/${stringOf(project.id)}`
  const views = objectsOf(project.views)
  const list = views.find(({ view_kind }) => view_kind === 'list')
  const kanban = views.find(({ view_kind }) => view_kind === 'kanban')
  const path = list ? `${own}/views/${stringOf(list.id)}/tasks` : `${own}/tasks`
  const tasks = await listOf(client, path)
  for (const task of tasks) await addParts(client, api, task, files)
  const board = kanban ? `${own}/views/${stringOf(kanban.id)}` : own
  const buckets = objectsOf((await client.find(`${board}/buckets`))?.body)
  const places = kanban ? await placesOf(client, `${board}/tasks`) : []
  return { ...project, tasks, buckets, task_buckets: places }
}

/** The tasks of a kanban view come by bucket, some of each bucket on each page. */
async function placesOf(client: ApiClient, url: string): Promise<Json[]> {
  const places: Json[] = []
  for (let page = 1; ; page++) {
    const { body } = await client.get(`${url}?page=${page}&per_page=${PAGE}`)
    const found = objectsOf(body).flatMap((bucket) =>
      objectsOf(bucket.tasks).map((task) => ({ task_id: task.id, bucket_id: bucket.id })),
    )
    places.push(...found)
    const isFull = objectsOf(body).some(({ tasks }) => objectsOf(tasks).length >= PAGE)
    if (!isFull) return places
  }
}

/** Adds the comments of a task. Its attachments are downloaded when they are written. */
async function addParts(
  client: ApiClient,
  api: string,
  task: Json,
  files: SourceFile[],
): Promise<void> {
  const own = `${api}/tasks/${stringOf(task.id)}`
  task.comments = objectsOf((await client.find(`${own}/comments`))?.body)
  for (const attachment of objectsOf(task.attachments)) {
    const file = objectOf(attachment.file)
    files.push({
      path: `files/${stringOf(file.id)}`,
      size: numberOf(file.size) ?? 0,
      bytes: () => client.bytes(`${own}/attachments/${stringOf(attachment.id)}`),
    })
  }
}
