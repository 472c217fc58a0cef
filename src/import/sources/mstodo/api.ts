import { ImportProblem } from '../../problem.ts'
import { type ApiOptions, type SourceApi, type SourceFile, textFile } from '../../source.ts'
import { isObject, type Json, objectsOf, stringOf } from '../shared/json.ts'

const API = 'https://graph.microsoft.com/v1.0/me/todo/lists'

export const mstodoApi: SourceApi = {
  token: 'MSTODO_TOKEN',
  matches: ({ hostname }) =>
    /^(?:to-do\.(?:office|live|microsoft)\.com|todo\.microsoft\.com|graph\.microsoft\.com)$/.test(
      hostname,
    ),
  download,
}

async function* download(options: ApiOptions): AsyncIterable<SourceFile> {
  options.onProgress('Lists')
  const lists = await all(options, `${API}?$top=100`)
  for (const list of lists) {
    options.onProgress(stringOf(list.displayName))
    const path = `${API}/${encodeURIComponent(stringOf(list.id))}/tasks`
    list.tasks = await all(options, `${path}?$top=100&$expand=checklistItems,linkedResources`)
    for (const task of objectsOf(list.tasks))
      if (task.hasAttachments === true)
        task.attachments = await attachmentsOf(
          options,
          `${path}/${encodeURIComponent(stringOf(task.id))}`,
        )
  }
  yield textFile('mstodo.json', JSON.stringify({ lists }))
}

async function attachmentsOf(options: ApiOptions, task: string): Promise<Json[]> {
  const files = await all(options, `${task}/attachments`)
  const withContent: Json[] = []
  for (const file of files)
    withContent.push(
      await request(options, `${task}/attachments/${encodeURIComponent(stringOf(file.id))}`),
    )
  return withContent
}

async function all(options: ApiOptions, first: string): Promise<Json[]> {
  const items: Json[] = []
  for (let url = first; url; ) {
    const page = await request(options, url)
    items.push(...objectsOf(page.value))
    url = stringOf(page['@odata.nextLink'])
    // The token must not be sent to another host.
    if (url && !url.startsWith('https://graph.microsoft.com/')) break
  }
  return items
}

async function request({ fetch, token, signal }: ApiOptions, url: string): Promise<Json> {
  if (!token)
    throw new ImportProblem(
      'Microsoft To Do needs a token',
      'Copy an access token with Tasks.Read from the Graph Explorer, and set MSTODO_TOKEN',
    )
  const response = await fetch(url, { headers: { Authorization: `Bearer ${token}` }, signal })
  if (response.status === 401 || response.status === 403)
    throw new ImportProblem(
      'Microsoft refuses the token',
      'Check MSTODO_TOKEN; it may have expired',
    )
  if (!response.ok)
    throw new ImportProblem(`Microsoft Graph answers ${response.status}`, 'Try again later')
  const answer: unknown = await response.json()
  return isObject(answer) ? answer : {}
}
