import { ImportProblem } from '../../problem.ts'
import { type ApiOptions, type SourceApi, type SourceFile, textFile } from '../../source.ts'
import { ApiClient, basicAuthorization, requireToken } from '../shared/api-client.ts'
import { type Json, listOf, objectOf, objectsOf, stringOf } from '../shared/json.ts'
import { ATTACHMENTS } from './content.ts'

/** The file that a download gives to the reader. */
export const PROJECT_FILE = 'kanboard-project.json'

const PARTS = {
  subtasks: 'getAllSubtasks',
  comments: 'getAllComments',
  links: 'getAllTaskLinks',
  externalLinks: 'getAllExternalTaskLinks',
  files: 'getAllTaskFiles',
  tags: 'getTaskTags',
  metadata: 'getTaskMetadata',
} as const
const TASKS_PER_REQUEST = 20

export const api: SourceApi = {
  token: 'KANBOARD_TOKEN',
  matches: (url) => addressOf(url) !== undefined,

  async *download(options) {
    const address = addressOf(new URL(options.url))
    if (!address)
      throw new ImportProblem(
        'This is not the address of a board',
        'Copy the address of the open board, such as https://kanboard.example/board/12',
      )
    const client = new ApiClient(options, {
      title: 'Kanboard',
      token: 'KANBOARD_TOKEN to the name of a user, a colon, and a token of this user',
      headers: headersOf(options),
    })
    const rpc = new Rpc(client, address.endpoint, options.onProgress)
    options.onProgress('Project')
    const document = await projectOf(rpc, address.project)
    const tasks = await tasksOf(rpc, address.project)
    yield textFile(PROJECT_FILE, JSON.stringify({ ...document, tasks }))
    for (const task of tasks) yield* filesOf(rpc, task)
  },
}

/** Where the API is, and which project: Kanboard writes addresses in two ways. */
function addressOf(url: URL): { endpoint: string; project: number } | undefined {
  const { origin, pathname, searchParams } = url
  const [, base, number] = /^(.*)\/(?:board|list|project)\/(\d+)(?:\/\w+)?\/?$/.exec(pathname) ?? []
  if (number !== undefined)
    return { endpoint: `${origin}${base}/jsonrpc.php`, project: Number(number) }
  const project = Number(searchParams.get('project_id'))
  const isKanboard = searchParams.has('controller') || pathname.endsWith('/jsonrpc.php')
  if (!project || !isKanboard) return undefined
  const folder = pathname.slice(0, pathname.lastIndexOf('/'))
  return { endpoint: `${origin}${folder}/jsonrpc.php`, project }
}

/** A token without a user is the application token, which signs in as the user jsonrpc. */
function headersOf(options: ApiOptions): Record<string, string> {
  const remedy = 'Create one under My profile › API, then set KANBOARD_TOKEN=USER:TOKEN'
  const token = requireToken(options, 'Kanboard', remedy)
  return { authorization: basicAuthorization(token.includes(':') ? token : `jsonrpc:${token}`) }
}

interface Call {
  method: string
  params: Record<string, unknown>
}

class Rpc {
  constructor(
    private readonly client: ApiClient,
    private readonly endpoint: string,
    readonly progress: ApiOptions['onProgress'],
  ) {}

  /** The results in the order of the calls; undefined for those that failed. */
  async all(calls: readonly Call[]): Promise<unknown[]> {
    const batch = calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }))
    const { body } = await this.client.post(this.endpoint, batch)
    const results = new Map(objectsOf(listOf(body)).map(({ id, result }) => [Number(id), result]))
    return calls.map((_, id) => results.get(id))
  }
}

async function projectOf(rpc: Rpc, project_id: number): Promise<Json> {
  const params = { project_id }
  const [project, columns, swimlanes, categories, users, members] = await rpc.all([
    { method: 'getProjectById', params },
    { method: 'getColumns', params },
    { method: 'getAllSwimlanes', params },
    { method: 'getAllCategories', params },
    { method: 'getAllUsers', params: {} },
    { method: 'getProjectUsers', params },
  ])
  if (!stringOf(objectOf(project).id))
    throw new ImportProblem(
      `Kanboard has no project ${project_id} that the token can read`,
      'Check the address, and that the user of the token is a member of the project',
    )
  const named = Object.entries(objectOf(members)).map(([id, name]) => ({ id, name }))
  return { project, columns, swimlanes, categories, users: Array.isArray(users) ? users : named }
}

async function tasksOf(rpc: Rpc, project_id: number): Promise<Json[]> {
  const [open, closed] = await rpc.all([
    { method: 'getAllTasks', params: { project_id, status_id: 1 } },
    { method: 'getAllTasks', params: { project_id, status_id: 0 } },
  ])
  const tasks = [...objectsOf(open), ...objectsOf(closed)]
  const result: Json[] = []
  const methods = Object.entries(PARTS)
  for (let start = 0; start < tasks.length; start += TASKS_PER_REQUEST) {
    const some = tasks.slice(start, start + TASKS_PER_REQUEST)
    const calls = some.flatMap(({ id }) =>
      methods.map(([, method]) => ({ method, params: { task_id: Number(id) } })),
    )
    const answers = await rpc.all(calls)
    for (const [at, task] of some.entries()) {
      const parts = methods.map(([name], part) => [name, answers[at * methods.length + part]])
      result.push({ ...task, ...Object.fromEntries(parts) })
    }
    rpc.progress(`${result.length} of ${tasks.length} tasks`)
  }
  return result
}

/** The API answers with the content of a file in Base64. */
function* filesOf(rpc: Rpc, task: Json): Iterable<SourceFile> {
  for (const { id, size } of objectsOf(listOf(task.files))) {
    const params = { file_id: Number(id) }
    yield {
      path: `${ATTACHMENTS}${stringOf(id)}`,
      size: Number(size) || 0,
      bytes: async () => {
        const [content] = await rpc.all([{ method: 'downloadTaskFile', params }])
        return Uint8Array.from(atob(stringOf(content)), (char) => char.charCodeAt(0))
      },
    }
  }
}
