import { ImportProblem } from '../../problem.ts'
import { type ApiOptions, type SourceApi, type SourceFile, textFile } from '../../source.ts'
import { ApiClient } from '../shared/api-client.ts'
import { type Json, objectsOf, stringOf } from '../shared/json.ts'
import { ATTACHMENTS } from './attachments.ts'

const API = 'https://api.trello.com/1/boards/'
const PAGE = 1000
const BOARD = {
  fields: 'all',
  lists: 'all',
  labels: 'all',
  labels_limit: '1000',
  members: 'all',
  member_fields: 'id,fullName,username',
  checklists: 'all',
  customFields: 'true',
  pluginData: 'false',
}
const CARDS = { attachments: 'true', customFieldItems: 'true', fields: 'all' }
const ACTIONS = {
  filter: 'commentCard,copyCommentCard,createCard,copyCard,convertToCardFromCheckItem,emailCard',
}

export const api: SourceApi = {
  token: 'TRELLO_TOKEN',
  matches: ({ hostname, pathname }) =>
    /^(www\.)?trello\.com$/.test(hostname) && pathname.startsWith('/b/'),

  async *download(options) {
    const trello = new ApiClient(options, {
      title: 'Trello',
      token: 'TRELLO_TOKEN to the API key and a token of someone who can open the board',
      headers: headersOf(options),
    })
    const id = new URL(options.url).pathname.split('/')[2] ?? ''
    if (!/^[A-Za-z0-9]{8,24}$/.test(id))
      throw new ImportProblem(
        'This is not the address of a board',
        'Copy the address of the open board, such as https://trello.com/b/AbCd1234/harbour',
      )
    options.onProgress('Board')
    const board = await trello.getJson(`${API}${id}?${new URLSearchParams(BOARD)}`)
    const cards = await pagesOf(trello, `${id}/cards/all`, CARDS, (count) =>
      options.onProgress(`${count} cards`),
    )
    const actions = await pagesOf(trello, `${id}/actions`, ACTIONS, (count) =>
      options.onProgress(`${count} comments`),
    )
    yield textFile(`${id}.json`, JSON.stringify({ ...board, cards, actions }))
    for (const card of cards) yield* filesOf(trello, card)
  },
}

/** The token allows more than the key; an address would show both in logs, so a header has them. */
function headersOf({ token = '' }: ApiOptions): Record<string, string> {
  const [key, secret] = token.split(':')
  if (key && secret)
    return { authorization: `OAuth oauth_consumer_key="${key}", oauth_token="${secret}"` }
  throw new ImportProblem(
    'TRELLO_TOKEN must be the API key and the token, separated by a colon',
    'Create both at https://trello.com/power-ups/admin, then set TRELLO_TOKEN=KEY:TOKEN',
  )
}

/** All items, newest first: each page is asked for with the last id of the one before it. */
async function pagesOf(
  trello: ApiClient,
  path: string,
  parameters: Record<string, string>,
  progress: (count: number) => void,
): Promise<Json[]> {
  const items = new Map<string, Json>()
  for (let before = ''; ; ) {
    const query = new URLSearchParams({ ...parameters, limit: String(PAGE) })
    if (before) query.set('before', before)
    const page = objectsOf((await trello.get(`${API}${path}?${query}`)).body)
    const known = items.size
    for (const item of page) items.set(stringOf(item.id), item)
    progress(items.size)
    if (page.length < PAGE || items.size === known) return [...items.values()]
    before = page.map(({ id }) => stringOf(id)).toSorted()[0]!
  }
}

/** Files that are stored at Trello need the key and token. */
function* filesOf(trello: ApiClient, card: Json): Iterable<SourceFile> {
  for (const { id, url, isUpload, bytes } of objectsOf(card.attachments)) {
    const address = stringOf(url)
    if (isUpload !== true || !/^https:\/\/(api\.)?trello\.com\//.test(address)) continue
    yield {
      path: `${ATTACHMENTS}${stringOf(id)}`,
      size: typeof bytes === 'number' ? bytes : 0,
      bytes: () => trello.bytes(address),
    }
  }
}
