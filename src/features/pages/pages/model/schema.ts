import { type Static, type TSchema, Type as t } from '@sinclair/typebox'
import type { Omits } from '../../../../kernel/concise.ts'
import { ProjectId } from '../../../boards/projects/model/index.ts'
import { Actor, Id, Timestamp } from '../../../identity/people/model/index.ts'
import { KINDS, MAX_TITLE_LENGTH, MODES } from './rules.ts'

export const MAX_TEXT_LENGTH = 1_048_576
const MAX_NOTE_LENGTH = 500
const MAX_INT32 = 2_147_483_647

const orNull = <T extends TSchema>(type: T) => t.Union([type, t.Null()])

export const PageId = Id('Id of a page')
const PageRef = t.Union([PageId, t.String({ minLength: 1, maxLength: 40 })], {
  description: 'Number or public_id of a page',
})
export const VersionId = Id('Id of a version, from svc_pages versions')
export const VersionNumber = t.Integer({ minimum: 1, maximum: MAX_INT32 })
const ContentType = t.Union([t.Literal('html'), t.Literal('markdown')])
const Kind = t.Union(KINDS.map((kind) => t.Literal(kind)))

export const Status = t.Union([t.Literal('Normal'), t.Literal('Archive')], {
  description: 'Default Normal; Archive lists archived pages',
})

/** The ways to name one page. */
export const address = {
  page_id: t.Optional(PageRef),
  id: t.Optional({ ...PageRef, description: 'Alias of page_id' }),
}
export type Address = Static<ReturnType<typeof t.Object<typeof address>>>

const Title = t.String({ maxLength: MAX_TITLE_LENGTH })
const Content = t.String({ minLength: 1, maxLength: MAX_TEXT_LENGTH })
const Parent = t.Union([...PageRef.anyOf, t.Null()], {
  description: 'Parent page, on the same task',
})

export const draft = {
  content: Content,
  content_type: t.Optional({ ...ContentType, description: 'Default markdown' }),
  canvas: t.Optional(
    t.Boolean({ description: 'content is a whole HTML document, shown sandboxed' }),
  ),
  title: t.Optional(Title),
  kind: t.Optional(Kind),
  parent_page_id: t.Optional(Parent),
}

export const revision = {
  content: t.Optional(Content),
  content_type: t.Optional({
    ...ContentType,
    description: 'Format of content, default markdown; without content, converts the page',
  }),
  canvas: t.Optional(t.Boolean()),
  mode: t.Optional(
    t.Union(
      MODES.map((mode) => t.Literal(mode)),
      { description: 'Default replace; append and prepend never conflict' },
    ),
  ),
  if_version: t.Optional(
    t.Integer({
      minimum: 0,
      maximum: MAX_INT32,
      description: 'The version you read; 409 if it has changed',
    }),
  ),
  note: t.Optional(t.String({ maxLength: MAX_NOTE_LENGTH, description: 'Reason for the change' })),
  title: t.Optional(Title),
  parent_page_id: t.Optional(Parent),
}
export type Revision = Static<ReturnType<typeof t.Object<typeof revision>>>

export const AsFormat = t.Optional({ ...ContentType, description: 'Default markdown' })

const fields = {
  page_id: PageId,
  public_id: t.String(),
  task_id: Id('Id of a task'),
  ticket_number: t.String(),
  project_id: ProjectId,
  parent_page_id: orNull(PageId),
  kind: Kind,
  title: t.String(),
  content_type: ContentType,
  canvas: t.Boolean({ absent: false, description: 'Its HTML document is at canvas_url' }),
  version: t.Integer({ description: 'Counts from 1 for each page' }),
  length: t.Integer({ description: 'Length of the stored text in characters' }),
  created_by: Actor,
  updated_by: Actor,
  created_at: Timestamp,
  updated_at: Timestamp,
  url: t.String(),
}
const shortColumns = [
  'page_id',
  'title',
  'ticket_number',
  'parent_page_id',
  'version',
  'updated_by.name',
  'updated_at',
]

const redundant = {
  public_id: 'page_id names the page',
  task_id: 'ticket_number names the task',
  project_id: 'ticket_number begins with the key of the board',
} satisfies Omits

export const PageRow = t.Object(fields, {
  columns: [...shortColumns, 'length'],
  omits: {
    ...redundant,
    created_at: 'updated_at is the later of the two',
    url: 'it is made of page_id',
  },
})
export type PageRow = Static<typeof PageRow>

export const PageRecord = t.Object(
  {
    ...fields,
    content: t.String({ description: 'The text, in the requested format' }),
    format: ContentType,
    current: t.Boolean({ absent: true, description: 'Whether this is the current version' }),
    archived_at: orNull(Timestamp),
    canvas_url: orNull(t.String({ description: 'Address that shows a canvas in a sandbox' })),
  },
  {
    columns: [
      ...shortColumns,
      'content_type',
      'canvas',
      'content',
      'format',
      'current',
      'archived_at',
    ],
    omits: redundant,
  },
)
export type PageRecord = Static<typeof PageRecord>

export const PageReceipt = t.Object({
  page_id: PageId,
  public_id: t.String(),
  task_id: Id('Id of a task'),
  ticket_number: t.String(),
  title: t.String(),
  kind: Kind,
  version: t.Integer(),
  length: t.Integer(),
  updated_at: Timestamp,
  url: t.String(),
  changed: t.Array(t.String()),
})
export type PageReceipt = Static<typeof PageReceipt>

const version = {
  version_id: VersionId,
  version: VersionNumber,
  title: t.String(),
  author: Actor,
  note: orNull(t.String()),
  created_at: Timestamp,
}

export const VersionRow = t.Object(
  {
    ...version,
    current: t.Boolean({ absent: false, description: 'Whether this is the current version' }),
    content_type: ContentType,
    canvas: t.Boolean({ absent: false }),
    length: t.Integer({ description: 'Characters' }),
    added: t.Integer({ description: 'Number of characters added' }),
    removed: t.Integer({ description: 'Number of characters removed' }),
  },
  {
    columns: [
      'version_id',
      'version',
      'author.name',
      'note',
      'created_at',
      'current',
      'length',
      'added',
      'removed',
    ],
  },
)
export type VersionRow = Static<typeof VersionRow>

export const versionRange = {
  from: t.Optional({ ...VersionNumber, description: 'Default: the version before `to`' }),
  to: t.Optional({ ...VersionNumber, description: 'Default: the newest version' }),
}

const VersionInfo = t.Object(version)
const Hunk = t.Object({
  old_start: t.Integer(),
  old_lines: t.Integer(),
  new_start: t.Integer(),
  new_lines: t.Integer(),
  lines: t.Array(t.String(), { description: 'Lines, each prefixed with a space, - or +' }),
})

export const Difference = t.Object({
  page_id: PageId,
  from: VersionInfo,
  to: VersionInfo,
  diff: t.String({ description: 'Unified diff; empty if the texts are equal' }),
  hunks: t.Array(Hunk),
})

export const ArchiveResult = t.Object({
  page_id: PageId,
  title: t.String(),
  archived_at: Timestamp,
  archived: t.Integer({ description: 'Number of pages archived, including nested pages' }),
})

export const Canvas = t.Object({ page_id: PageId, title: t.String(), html: t.String() })
