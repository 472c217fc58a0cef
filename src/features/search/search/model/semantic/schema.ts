import { type Static, Type as t } from '@sinclair/typebox'
import { LabelRef } from '../../../../boards/labels/model/index.ts'
import { ProjectId } from '../../../../boards/projects/model/index.ts'
import { Actor, Id, Timestamp } from '../../../../identity/people/model/index.ts'

export const ROWS = 10
export const KINDS = ['description', 'comment', 'page', 'file'] as const

const Kind = t.Union(KINDS.map((kind) => t.Literal(kind)))
const upTo20 = { maxItems: 20 }
const Author = t.Union([t.String({ minLength: 1, maxLength: 200 }), Id('Id of a person')])

export const Limit = t.Optional(
  t.Integer({ minimum: 1, description: `Default ${ROWS}, at most 50` }),
)

/** At most 200 ranked passages are available, whatever the offset. */
export const Offset = t.Optional(
  t.Integer({ minimum: 0, maximum: 1e9, description: 'Rows to skip' }),
)

export const MetadataFilters = t.Object(
  {
    kind: t.Optional(t.Union([Kind, t.Array(Kind, upTo20)])),
    label: t.Optional(t.Union([LabelRef, t.Array(LabelRef, upTo20)])),
    section: t.Optional(
      t.Union([t.String({ minLength: 1, maxLength: 200 }), Id('Id of a column')]),
    ),
    author: t.Optional(t.Union([Author, t.Array(Author, upTo20)])),
    // A malformed value is dropped with a warning, so the schema accepts any value.
    updated_since: t.Optional(t.Unknown({ type: 'string', maxLength: 40 })),
  },
  {
    additionalProperties: false,
    description: `kind (${KINDS.join(', ')}), label, section, author (me, name, id), updated_since`,
  },
)
export type MetadataFilters = Static<typeof MetadataFilters>

export const Query = t.String({
  minLength: 1,
  maxLength: 2000,
  description: 'Question or words; a "phrase" in quotes counts more',
})

export const searchFilters = {
  project_id: t.Optional(ProjectId),
  metadata_filters: t.Optional(MetadataFilters),
  limit: Limit,
  offset: Offset,
}

const Source = t.Object({
  kind: Kind,
  id: t.Integer({
    description: 'Id of the page, comment or attachment; for a description, of its task',
  }),
  ticket_number: t.String(),
  title: t.String({ description: 'Title of the page or task, or name of the file' }),
  headings: t.Array(t.String(), { description: 'Headings above the passage, outermost first' }),
  url: t.String(),
  task_id: t.Integer(),
  project_id: t.Integer(),
  author: Actor,
  updated_at: Timestamp,
})
export type Source = Static<typeof Source>

export const FoundPassage = t.Object(
  { text: t.String(), score: t.Number(), source: Source },
  {
    columns: [
      'text',
      'score',
      'source.kind',
      'source.id',
      'source.ticket_number',
      'source.title',
      'source.headings',
      'source.url',
    ],
    omits: {
      'source.task_id': 'ticket_number names the task',
      'source.project_id': 'ticket_number begins with the key of the board',
    },
  },
)
export type FoundPassage = Static<typeof FoundPassage>

export const RelatedTask = t.Object(
  {
    ticket_number: t.String(),
    title: t.String(),
    score: t.Number({ description: 'From 0 to 1' }),
    passage: t.String({ description: 'Most similar passage' }),
    kind: Kind,
    task_id: t.Integer(),
    project_id: t.Integer(),
    done: t.Boolean(),
    url: t.String(),
  },
  {
    columns: ['ticket_number', 'title', 'score', 'passage', 'done'],
    omits: {
      task_id: 'ticket_number names the task',
      project_id: 'ticket_number begins with the key of the board',
      url: 'it is made of ticket_number',
    },
  },
)
export type RelatedTask = Static<typeof RelatedTask>
