import {
  DELETED_FOR_GOOD,
  deletesCreated,
  type Fields,
  pick,
  type Read,
  restoresFields,
  type UndoRules,
} from './types.ts'

const OTHERS_NOTIFIED = 'Others have been notified'

interface Version {
  version_id: number
  current: boolean
}

const pageAddress = ({ page_id, id }: Fields): Fields => ({ page_id: page_id ?? id })

const PAGE = ['version', 'title', 'parent_page_id', 'archived_at']

/** The id of the page version to restore: the one that the page had before the call. */
async function versionBefore(read: Read, address: Fields, version: number) {
  const rows = (await read({
    op: 'pages.versions',
    input: { ...address, limit: 50 },
  })) as (Version & {
    version: number
  })[]
  return rows.find((row) => row.version === version)?.version_id
}

async function undoPage(input: Fields, page: Fields, read: Read) {
  const { page_id, version } = page as { page_id: number; version: number }
  const properties = pick(
    page,
    ['title', 'parent_page_id'].filter((name) => input[name] !== undefined),
  )
  const isText = ['content', 'version_id'].some((name) => input[name] !== undefined)
  const version_id = isText ? await versionBefore(read, { page_id }, version) : undefined
  if (isText && version_id === undefined) return undefined
  return [
    ...(isText ? [{ op: 'pages.restore', input: { page_id, version_id } }] : []),
    ...(Object.keys(properties).length
      ? [{ op: 'pages.update', input: { page_id, ...properties } }]
      : []),
  ]
}

/** Comments, drafts, pages and attachments. */
export const textRules: UndoRules = {
  'comments.add': deletesCreated('comments.delete', 'comment_id'),
  'comments.update': {
    reads: ({ comment_id }) => ({
      op: 'comments.get',
      input: { comment_id },
      fields: ['text', 'content_type'],
    }),
    undo: ({ before }) => [
      {
        op: 'comments.update',
        input: pick(before as Fields, ['comment_id', 'text', 'content_type']),
      },
    ],
  },
  'comments.delete': DELETED_FOR_GOOD,
  'drafts.create': deletesCreated('drafts.delete', 'draft_id'),
  'drafts.update': restoresFields('drafts.update', ['draft_id'], 'drafts.get', ['text']),
  'drafts.publish': OTHERS_NOTIFIED,
  'drafts.delete': DELETED_FOR_GOOD,
  'pages.create': deletesCreated('pages.archive', 'page_id'),
  'pages.update': {
    reads: (input) => ({ op: 'pages.get', input: pageAddress(input), fields: PAGE }),
    undo: ({ input, before }, read) => undoPage(input, before as Fields, read),
  },
  'pages.restore': {
    reads: (input) => ({ op: 'pages.get', input: pageAddress(input), fields: PAGE }),
    undo({ input, before }, read) {
      const page = before as Fields
      if (page.archived_at === null) return undoPage(input, page, read)
      return [{ op: 'pages.archive', input: { page_id: page.page_id } }]
    },
  },
  'pages.archive': 'Its nested pages were archived too; restore each with pages_restore',
  'attachments.create': {
    undo: ({ output }) =>
      (output as { attachments: Fields[] }).attachments.map(({ attachment_id }) => ({
        op: 'attachments.delete',
        input: { attachment_id },
      })),
  },
  'attachments.delete': DELETED_FOR_GOOD,
}
