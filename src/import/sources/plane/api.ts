import { ImportProblem } from '../../problem.ts'
import { type ApiOptions, type SourceApi, type SourceFile, textFile } from '../../source.ts'
import { ApiClient } from '../shared/api-client.ts'
import { type Json, numberOf, objectOf, objectsOf, stringOf } from '../shared/json.ts'

const PROJECT = /^\/([^/]+)\/projects\/([0-9a-f-]{36})/

export const planeApi: SourceApi = {
  token: 'PLANE_API_KEY',
  matches: ({ hostname, pathname }) => /(^|\.)plane\b/.test(hostname) && PROJECT.test(pathname),
  download,
}

async function* download(options: ApiOptions): AsyncIterable<SourceFile> {
  const url = new URL(options.url)
  const [, workspace, id] = PROJECT.exec(url.pathname) ?? []
  if (!id)
    throw new ImportProblem(
      `${options.url} is not a project`,
      'Give an address such as https://app.plane.so/team/projects/2f0c…/issues',
    )
  const client = new ApiClient(options, {
    title: 'Plane',
    token: 'PLANE_API_KEY to a token of Profile settings, Personal access tokens',
    headers: options.token ? { 'x-api-key': options.token } : {},
  })
  const host = url.hostname === 'app.plane.so' ? 'https://api.plane.so' : url.origin
  const project = `${host}/api/v1/workspaces/${workspace}/projects/${id}`
  yield textFile('project-1.json', JSON.stringify((await client.get(`${project}/`)).body))
  for (const kind of ['states', 'labels', 'members'] as const)
    yield* listFiles(client, `${project}/${kind}/`, kind)
  yield* pointFiles(client, project)
  yield* groupFiles(client, project, 'modules', 'module')
  yield* groupFiles(client, project, 'cycles', 'cycle')
  yield* itemFiles(client, project, options)
}

/** A list, page by page. Older servers do not have all lists; then there are no files. */
async function* listFiles(
  client: ApiClient,
  url: string,
  name: string,
): AsyncGenerator<SourceFile, Json[]> {
  const all: Json[] = []
  let cursor = ''
  for (let page = 1; page === 1 || cursor; page++) {
    const answer = await client.find(`${url}?per_page=100${cursor && `&cursor=${cursor}`}`)
    if (!answer) break
    const { results, next_cursor, next_page_results } = objectOf(answer.body)
    const list = Array.isArray(results) ? results : answer.body
    yield textFile(`${name}-${page}.json`, JSON.stringify(list))
    all.push(...objectsOf(list))
    cursor = next_page_results === true ? stringOf(next_cursor) : ''
  }
  return all
}

async function* pointFiles(client: ApiClient, project: string): AsyncGenerator<SourceFile> {
  const answer = await client.find(`${project}/estimates/`)
  const estimates = Array.isArray(answer?.body) ? objectsOf(answer.body) : [objectOf(answer?.body)]
  for (const estimate of estimates) {
    const id = stringOf(estimate.id)
    if (id) yield* listFiles(client, `${project}/estimates/${id}/estimate-points/`, `points/${id}`)
  }
}

async function* groupFiles(
  client: ApiClient,
  project: string,
  kind: string,
  one: string,
): AsyncGenerator<SourceFile> {
  for (const group of yield* listFiles(client, `${project}/${kind}/`, kind)) {
    const id = stringOf(group.id)
    yield* listFiles(client, `${project}/${kind}/${id}/${one}-issues/`, `${one}-items/${id}`)
  }
}

async function* itemFiles(
  client: ApiClient,
  project: string,
  { onProgress }: ApiOptions,
): AsyncGenerator<SourceFile> {
  let path = 'work-items'
  let items = yield* listFiles(client, `${project}/${path}/`, 'items')
  if (!items.length) {
    path = 'issues'
    items = yield* listFiles(client, `${project}/${path}/`, 'items')
  }
  let count = 0
  for (const item of items) {
    const id = stringOf(item.id)
    const own = `${project}/${path}/${id}`
    for (const kind of ['comments', 'links', 'relations'] as const)
      yield* listFiles(client, `${own}/${kind}/`, `${kind}/${id}`)
    yield* attachmentFiles(client, own, path, id)
    count++
    onProgress(`${count} of ${items.length} work items`)
  }
}

/** Attachments are downloaded when they are written. */
async function* attachmentFiles(
  client: ApiClient,
  item: string,
  path: string,
  id: string,
): AsyncGenerator<SourceFile> {
  const url = `${item}/${path === 'issues' ? 'issue-attachments' : 'attachments'}/`
  for (const { id: file, attributes } of yield* listFiles(client, url, `attachments/${id}`))
    yield {
      path: `assets/${stringOf(file)}`,
      size: numberOf(objectOf(attributes).size) ?? 0,
      bytes: () => client.bytes(`${url}${stringOf(file)}/`),
    }
}
