import { type ApiOptions, type SourceApi, type SourceFile, textFile } from '../../source.ts'
import { ApiClient, requireToken } from '../shared/api-client.ts'
import { type Json, listOf, objectOf, objectsOf, stringOf } from '../shared/json.ts'
import { ATTACHMENTS, addressOf, isLink } from './attachments.ts'

const BOARD = /^(.*)\/boards\/(\d{15,20})\/?$/

export const api: SourceApi = {
  token: 'PLANKA_TOKEN',
  matches: ({ pathname }) => BOARD.test(pathname),

  async *download(options) {
    const { origin, pathname } = new URL(options.url)
    const [, base = '', id = ''] = BOARD.exec(pathname) ?? []
    const remedy = 'Create an API key in your Planka settings, then set PLANKA_TOKEN to it'
    const client = new ApiClient(options, {
      title: 'Planka',
      token: 'PLANKA_TOKEN to an API key of someone who can open the board',
      headers: headersOf(requireToken(options, 'Planka', remedy)),
    })
    const server = new Server(client, `${origin}${base}`, options.onProgress)
    options.onProgress('Board')
    const document = await server.get(`/boards/${id}`)
    const included = new Included(objectOf(document.included))
    for (const { id: list, type } of objectsOf(included.lists.lists))
      if (type === 'archive') await addArchive(server, stringOf(list), included)
    await addComments(server, included)
    if (objectsOf(included.lists.customFieldGroups).some((group) => group.baseCustomFieldGroupId))
      included.add(await server.get(`/projects/${stringOf(objectOf(document.item).projectId)}`), [
        'baseCustomFieldGroups',
        'customFields',
      ])
    const text = JSON.stringify({ item: document.item, included: included.lists })
    yield textFile('planka-board.json', text)
    yield* filesOf(server, included)
  },
}

/** API keys came with Planka 2; access tokens of both versions have three parts. */
function headersOf(token: string): Record<string, string> {
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)
    ? { authorization: `Bearer ${token}`, cookie: `accessToken=${token}` }
    : { 'x-api-key': token }
}

class Server {
  constructor(
    private readonly client: ApiClient,
    readonly base: string,
    readonly progress: ApiOptions['onProgress'],
  ) {}

  get = (path: string) => this.client.getJson(`${this.base}/api${path}`)

  file = (url: string) => this.client.bytes(url)
}

/** What belongs to a board, collected from several answers. */
class Included {
  readonly lists: Record<string, Json[]> = {}
  private readonly seen = new Set<string>()

  constructor(included: Json) {
    this.add({ included }, Object.keys(included))
  }

  add(answer: unknown, names: readonly string[]): void {
    const included = objectOf(objectOf(answer).included)
    for (const name of names) this.push(name, included[name])
  }

  /** Returns how many of the items are new. */
  push(name: string, items: unknown): number {
    this.lists[name] ??= []
    const list = this.lists[name]
    const fresh = objectsOf(items).filter(({ id }) => !this.seen.has(`${name} ${stringOf(id)}`))
    for (const item of fresh) {
      this.seen.add(`${name} ${stringOf(item.id)}`)
      list.push(item)
    }
    return fresh.length
  }
}

async function addArchive(server: Server, list: string, included: Included): Promise<void> {
  for (let before = ''; ; ) {
    const answer = await server.get(`/lists/${list}/cards${before}`)
    const cards = objectsOf(answer.items)
    included.add(answer, Object.keys(objectOf(answer.included)))
    if (!included.push('cards', cards)) return
    const { id, listChangedAt } = cards.at(-1)!
    server.progress(`${included.lists.cards!.length} cards`)
    before = `?${new URLSearchParams({ before: JSON.stringify({ listChangedAt, id }) })}`
  }
}

/** Cards of Planka 2 say how many comments they have; in Planka 1 each card has to be asked. */
async function addComments(server: Server, included: Included): Promise<void> {
  for (const { id, commentsTotal } of included.lists.cards ?? []) {
    if (commentsTotal === 0) continue
    const [path, name] =
      commentsTotal === undefined
        ? (['actions', 'actions'] as const)
        : (['comments', 'comments'] as const)
    for (let before = ''; ; ) {
      const answer = await server.get(`/cards/${stringOf(id)}/${path}${before}`)
      included.add(answer, ['users'])
      const last = objectOf(listOf(answer.items).at(-1))
      if (!included.push(name, answer.items)) break
      server.progress(`${included.lists[name]!.length} comments`)
      before = `?beforeId=${stringOf(last.id)}`
    }
  }
}

/** The token is sent only to the server itself. */
function* filesOf(server: Server, included: Included): Iterable<SourceFile> {
  for (const attachment of included.lists.attachments ?? []) {
    const url = addressOf(attachment)
    if (isLink(attachment) || !url.startsWith(`${server.base}/`)) continue
    const size = Number(objectOf(attachment.data).size ?? objectOf(attachment.data).sizeInBytes)
    yield {
      path: `${ATTACHMENTS}${stringOf(attachment.id)}`,
      size: Number.isFinite(size) ? size : 0,
      bytes: () => server.file(url),
    }
  }
}
