import { Type as t } from '@sinclair/typebox'
import {
  ContentType,
  Count,
  int32,
  Moment,
  oneOf,
  orNull,
  strict,
  Text,
  Ticket,
  Who,
} from './schema-parts.ts'

const PublicId = t.String({ pattern: '^[0-9A-Za-z_-]{4,64}$' })
const Version = t.Integer({ minimum: 1, maximum: int32 })
const Title = t.String({ maxLength: 1000 })

/** A stretch of another text, from one letter up to another, or letters of its own. */
const Step = t.Union([t.Tuple([Count, Count]), Text])

const dressed = { title: Title, content_type: ContentType, canvas: t.Boolean() }

/**
 * Pages are named by their public ids. A page holds its text of now; its versions follow from the
 * newest to the first, and each but the first says how the text before it is made of its own.
 */
export const pageRecords = {
  page: strict({
    task: Ticket,
    public_id: PublicId,
    /** The page of the same task that it is nested under. */
    parent: orNull(PublicId),
    kind: oneOf('page', 'description', 'exploration'),
    ...dressed,
    content: Text,
    version: Version,
    created_by: Who,
    updated_by: Who,
    created_at: Moment,
    updated_at: Moment,
    archived_at: orNull(Moment),
  }),
  page_version: strict({
    task: Ticket,
    page: PublicId,
    version: Version,
    ...dressed,
    note: orNull(t.String({ maxLength: 2000 })),
    back: orNull(t.Array(Step, { maxItems: 1_048_576 })),
    author: Who,
    created_at: Moment,
  }),
} as const
