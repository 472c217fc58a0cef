import { type Fields, GONE, type Look, picked, reverted, unmade, type Ways } from './types.ts'

const TOLD = 'Others have been told of it'

interface Version {
  version_id: number
  current: boolean
}

const place = ({ page_id, id }: Fields): Fields => ({ page_id: page_id ?? id })

const PAGE = ['version', 'title', 'parent_page_id', 'archived_at']

/** The version of a page that a restore brings back: the one that it had before this. */
async function versionBefore(look: Look, address: Fields, version: number) {
  const rows = (await look({
    op: 'pages.versions',
    input: { ...address, limit: 50 },
  })) as (Version & {
    version: number
  })[]
  return rows.find((row) => row.version === version)?.version_id
}

async function pageBack(input: Fields, was: Fields, look: Look) {
  const { page_id, version } = was as { page_id: number; version: number }
  const placed = picked(
    was,
    ['title', 'parent_page_id'].filter((name) => input[name] !== undefined),
  )
  const isText = ['content', 'version_id'].some((name) => input[name] !== undefined)
  const version_id = isText ? await versionBefore(look, { page_id }, version) : undefined
  if (isText && version_id === undefined) return undefined
  return [
    ...(isText ? [{ op: 'pages.restore', input: { page_id, version_id } }] : []),
    ...(Object.keys(placed).length ? [{ op: 'pages.update', input: { page_id, ...placed } }] : []),
  ]
}

/** What people wrote, and the files beside it. */
export const ofTexts: Ways = {
  'comments.add': unmade('comments.delete', 'comment_id'),
  'comments.update': {
    sees: ({ comment_id }) => ({
      ...{ op: 'comments.get', input: { comment_id } },
      fields: ['text', 'content_type'],
    }),
    back: ({ before }) => [
      {
        op: 'comments.update',
        input: picked(before as Fields, ['comment_id', 'text', 'content_type']),
      },
    ],
  },
  'comments.delete': GONE,
  'drafts.create': unmade('drafts.delete', 'draft_id'),
  'drafts.update': reverted('drafts.update', ['draft_id'], 'drafts.get', ['text']),
  'drafts.publish': TOLD,
  'drafts.delete': GONE,
  'pages.create': unmade('pages.archive', 'page_id'),
  'pages.update': {
    sees: (input) => ({ op: 'pages.get', input: place(input), fields: PAGE }),
    back: ({ input, before }, look) => pageBack(input, before as Fields, look),
  },
  'pages.restore': {
    sees: (input) => ({ op: 'pages.get', input: place(input), fields: PAGE }),
    back({ input, before }, look) {
      const was = before as Fields
      if (was.archived_at === null) return pageBack(input, was, look)
      return [{ op: 'pages.archive', input: { page_id: was.page_id } }]
    },
  },
  'pages.archive': 'Pages that were nested in it went with it; restore each with pages_restore',
  'attachments.create': {
    back: ({ output }) =>
      (output as { attachments: Fields[] }).attachments.map(({ attachment_id }) => ({
        op: 'attachments.delete',
        input: { attachment_id },
      })),
  },
  'attachments.delete': GONE,
}
