import { ImportProblem } from '../../problem.ts'
import { type ApiOptions, type SourceApi, type SourceFile, textFile } from '../../source.ts'
import { ApiClient, requireToken } from '../shared/api-client.ts'
import { type Json, objectOf, objectsOf, stringOf } from '../shared/json.ts'

const API = 'https://app.asana.com/api/1.0'
const PERSON = 'gid,name,email'
const TASK = [
  'name,resource_subtype,html_notes,notes,completed,completed_at,created_at,modified_at,due_on',
  'due_at,start_on,start_at,num_subtasks,tags.name,parent.gid,approval_status,actual_time_minutes',
  'projects.name,memberships.project.gid,memberships.project.name,memberships.section.name',
  'dependencies.gid,dependents.gid,followers.gid,num_likes,completed_by.gid,permalink_url',
  ...['assignee', 'created_by'].map((name) => PERSON.replace(/\w+/g, `${name}.$&`)),
  ...['name', 'type', 'display_value', 'number_value', 'text_value', 'date_value'].map(
    (name) => `custom_fields.${name}`,
  ),
  'custom_fields.enum_value.name,custom_fields.multi_enum_values.name,custom_fields.people_value.name',
].join()
const STORY = `type,resource_subtype,html_text,text,created_at,num_likes,${PERSON.replace(/\w+/g, 'created_by.$&')}`

export const asanaApi: SourceApi = {
  token: 'ASANA_TOKEN',
  matches: ({ hostname }) => hostname === 'app.asana.com',
  download,
}

/** https://app.asana.com/0/12/34 or https://app.asana.com/1/9/project/12/list/34 */
const projectIn = (url: string) => {
  const { pathname } = new URL(url)
  return /\/project\/(\d+)/.exec(pathname)?.[1] ?? /^\/0\/(\d+)/.exec(pathname)?.[1]
}

async function* download(options: ApiOptions): AsyncIterable<SourceFile> {
  const id = projectIn(options.url)
  if (!id)
    throw new ImportProblem(
      'The address has no project',
      'Copy the address of the project in Asana',
    )
  const token = requireToken(
    options,
    'Asana',
    'Create one at https://app.asana.com/0/my-apps, and set ASANA_TOKEN',
  )
  const client = new ApiClient(options, {
    title: 'Asana',
    token: 'ASANA_TOKEN to a token of someone who can see the project',
    headers: { authorization: `Bearer ${token}` },
  })
  options.onProgress('Project and sections')
  const { data: project } = await client.getJson(`${API}/projects/${id}?opt_fields=name,notes`)
  const sections = await list(client, `/projects/${id}/sections?opt_fields=name`)
  const tasks = await list(client, `/projects/${id}/tasks?opt_fields=${TASK}`)
  for (const [at, task] of tasks.entries()) {
    options.onProgress(`Task ${at + 1} of ${tasks.length}`)
    await complete(client, task)
  }
  yield textFile('asana.json', JSON.stringify({ project, sections, data: tasks }))
  for (const attachment of attachmentsIn(tasks)) yield attachmentFile(client, options, attachment)
}

/** Adds the comments, attachments and subtasks of a task. */
async function complete(client: ApiClient, task: Json): Promise<void> {
  const id = stringOf(task.gid)
  task.stories = await list(client, `/tasks/${id}/stories?opt_fields=${STORY}`)
  const hasFiles = objectsOf(task.stories).some(
    (story) => story.resource_subtype === 'attachment_added',
  )
  if (hasFiles)
    task.attachments = await list(
      client,
      `/attachments?parent=${id}&opt_fields=name,size,created_at,host`,
    )
  if (!Number(task.num_subtasks)) return
  const subtasks = await list(client, `/tasks/${id}/subtasks?opt_fields=${TASK}`)
  task.subtasks = subtasks
  for (const subtask of subtasks) await complete(client, subtask)
}

function* attachmentsIn(tasks: readonly Json[]): Generator<Json> {
  for (const task of tasks) {
    yield* objectsOf(task.attachments)
    yield* attachmentsIn(objectsOf(task.subtasks))
  }
}

/** The address of a file is valid for two minutes, so it is requested when the file is read. */
const attachmentFile = (
  client: ApiClient,
  { fetch, signal }: ApiOptions,
  attachment: Json,
): SourceFile => ({
  path: `attachments/${stringOf(attachment.gid)}/${stringOf(attachment.name).replaceAll('/', '-')}`,
  size: Number(attachment.size) || 0,
  async bytes() {
    const path = `${API}/attachments/${stringOf(attachment.gid)}?opt_fields=download_url`
    const { data } = await client.getJson(path)
    const url = stringOf(objectOf(data).download_url)
    if (!url)
      throw new ImportProblem(`${stringOf(attachment.name)} cannot be downloaded`, 'Skip it')
    const response = await fetch(url, { signal })
    return new Uint8Array(await response.arrayBuffer())
  },
})

async function list(client: ApiClient, path: string): Promise<Json[]> {
  const items: Json[] = []
  for (let offset = ''; ; ) {
    const page = await client.getJson(`${API}${path}&limit=100${offset && `&offset=${offset}`}`)
    items.push(...objectsOf(page.data))
    offset = stringOf(objectOf(page.next_page).offset)
    if (!offset) return items
  }
}
