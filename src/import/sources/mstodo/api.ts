import { type ApiOptions, type SourceApi, type SourceFile, textFile } from '../../source.ts'
import { ApiClient, requireToken } from '../shared/api-client.ts'
import { type Json, objectsOf, stringOf } from '../shared/json.ts'

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
  const token = requireToken(
    options,
    'Microsoft To Do',
    'Copy an access token with Tasks.Read from the Graph Explorer, and set MSTODO_TOKEN',
  )
  const client = new ApiClient(options, {
    title: 'Microsoft',
    token: 'MSTODO_TOKEN to a new access token; the one before may have expired',
    headers: { authorization: `Bearer ${token}` },
  })
  options.onProgress('Lists')
  const lists = await all(client, `${API}?$top=100`)
  for (const list of lists) {
    options.onProgress(stringOf(list.displayName))
    const path = `${API}/${encodeURIComponent(stringOf(list.id))}/tasks`
    list.tasks = await all(client, `${path}?$top=100&$expand=checklistItems,linkedResources`)
    for (const task of objectsOf(list.tasks))
      if (task.hasAttachments === true)
        task.attachments = await attachmentsOf(
          client,
          `${path}/${encodeURIComponent(stringOf(task.id))}`,
        )
  }
  yield textFile('mstodo.json', JSON.stringify({ lists }))
}

async function attachmentsOf(client: ApiClient, task: string): Promise<Json[]> {
  const files = await all(client, `${task}/attachments`)
  const withContent: Json[] = []
  for (const file of files)
    withContent.push(
      await client.getJson(`${task}/attachments/${encodeURIComponent(stringOf(file.id))}`),
    )
  return withContent
}

async function all(client: ApiClient, first: string): Promise<Json[]> {
  const items: Json[] = []
  for (let url = first; url; ) {
    const page = await client.getJson(url)
    items.push(...objectsOf(page.value))
    url = stringOf(page['@odata.nextLink'])
    // The token must not be sent to another host.
    if (url && !url.startsWith('https://graph.microsoft.com/')) break
  }
  return items
}
