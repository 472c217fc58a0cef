import { Type as t } from '@sinclair/typebox'
import {
  ContentType,
  Count,
  int32,
  Moment,
  nullable,
  oneOf,
  strict,
  Text,
  Ticket,
  Who,
} from './schema-parts.ts'

const PublicId = t.String({ pattern: '^[0-9A-Za-z_-]{4,64}$' })
const Version = t.Integer({ minimum: 1, maximum: int32 })
const Title = t.String({ maxLength: 1000 })

/** A range of the newer text, from one character up to another, or literal text. */
const Step = t.Union([t.Tuple([Count, Count]), Text])

const pageText = { title: Title, content_type: ContentType, canvas: t.Boolean() }

/**
 * Records refer to pages by public id. A page holds its current text. Its versions follow, newest
 * first; the steps in `back` build the text of the previous version from the text of this one.
 */
export const pageRecords = {
  page: strict({
    task: Ticket,
    public_id: PublicId,
    /** The page of the same task that it is nested under. */
    parent: nullable(PublicId),
    kind: oneOf('page', 'description', 'exploration'),
    ...pageText,
    content: Text,
    version: Version,
    created_by: Who,
    updated_by: Who,
    created_at: Moment,
    updated_at: Moment,
    archived_at: nullable(Moment),
  }),
  page_version: strict({
    task: Ticket,
    page: PublicId,
    version: Version,
    ...pageText,
    note: nullable(t.String({ maxLength: 2000 })),
    back: nullable(t.Array(Step, { maxItems: 1_048_576 })),
    author: Who,
    created_at: Moment,
  }),
} as const
