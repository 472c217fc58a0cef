import { fault } from '../../../kernel/fault.ts'
import { type Board, listBoards } from '../boards.ts'
import { READERS, type ResourceSource } from './kinds.ts'
import { articleName } from './manual.ts'
import { MARKDOWN, type ResourceKind, uriOf } from './uris.ts'

/** The boards come first, page by page, and then the manual. */
const BOARDS = 'boards:'
const MANUAL = 'manual'

/** A page of the caller's boards with their playbooks, or the articles of the manual. */
export async function listResources(
  source: ResourceSource,
  kinds: readonly ResourceKind[],
  cursor: string | undefined,
) {
  const start = kinds.includes('board') ? BOARDS : MANUAL
  const position = cursor ?? start
  if (position === MANUAL) return { resources: await articles(source) }
  if (!position.startsWith(start)) throw invalidCursor(position)
  const boardCursor = position.slice(BOARDS.length)
  const { items, page } = await listBoards(source.read, boardCursor ? { cursor: boardCursor } : {})
  const nextCursor = page.next_cursor === null ? MANUAL : `${BOARDS}${page.next_cursor}`
  const keys = items.map(({ key }) => key)
  const isUnique = (key: string) => keys.indexOf(key) === keys.lastIndexOf(key)
  return {
    resources: items.flatMap((board) =>
      // Boards of two teams may have the same key. Their ids tell them apart.
      boardResources(board, isUnique(board.key) ? board.key : String(board.project_id)),
    ),
    nextCursor,
  }
}

const invalidCursor = (cursor: string) =>
  fault.invalid(
    'cursor',
    'invalid_format',
    'cursor must be the nextCursor of a previous page',
    cursor,
    'Omit cursor to start again',
  )

const resource = (
  kind: ResourceKind,
  id: string,
  about: { title: string; description?: string; lastModified?: string },
) => {
  const { description: usual, annotations } = READERS[kind]
  const { title, description = usual, lastModified } = about
  return {
    uri: uriOf(kind, id),
    name: `${kind} ${id}`,
    title,
    description,
    mimeType: MARKDOWN,
    annotations: { ...annotations, ...(lastModified && { lastModified }) },
  }
}

const DESCRIPTION_LENGTH = 200

function boardResources({ title, description, updated_at }: Board, key: string) {
  const summary = description?.replace(/\s+/g, ' ').slice(0, DESCRIPTION_LENGTH).toWellFormed()
  return [
    resource('board', key, {
      title,
      ...(summary && { description: summary }),
      lastModified: updated_at,
    }),
    resource('playbook', key, { title: `Playbook of ${title}` }),
  ]
}

async function articles({ manual }: ResourceSource) {
  const { articles: list } = await manual()
  return list.map((one) => resource('article', articleName(one), { title: one.title }))
}
