import { type Static, type TSchema, Type as t } from '@sinclair/typebox'
import { Id, Timestamp } from '../../../identity/people/model/index.ts'

export const ProjectId = Id('Id of a board')
export const Status = t.Union([t.Literal('Normal'), t.Literal('Archive')])
export const orNull = <T extends TSchema>(type: T) => t.Union([type, t.Null()])

export const Access = t.Union([t.Literal('team'), t.Literal('invited')], {
  description: 'Visible to the whole team, or to invited people only',
})
export const ProjectTitle = t.String({
  minLength: 1,
  maxLength: 500,
  description: 'Title of the board',
})
export const AutoArchiveDays = orNull(
  t.Integer({
    minimum: 1,
    maximum: 3650,
    description: 'Archive completed tasks after this many days without changes; null: never',
  }),
)
const Text = t.String({ maxLength: 1_048_576 })
export const Description = orNull(
  t.String({ maxLength: 1_048_576, description: 'Purpose of the board; null: none' }),
)

export const ProjectRow = t.Object(
  {
    project_id: ProjectId,
    key: t.String({ description: 'Prefix of the ticket keys' }),
    title: t.String(),
    description: orNull(t.String()),
    team_id: Id('Id of a team'),
    access: Access,
    status: Status,
    auto_archive_days: AutoArchiveDays,
    created_at: Timestamp,
    updated_at: Timestamp,
    last_used_at: orNull(Timestamp),
    may_manage: t.Boolean({ description: 'Whether you can archive it and change who can see it' }),
    url: t.String(),
  },
  {
    columns: ['project_id', 'key', 'title', 'status'],
    omits: {
      created_at: 'updated_at is the later of the two',
      last_used_at: 'it only orders lists',
      url: 'it is made of project_id',
    },
  },
)
export type ProjectRow = Static<typeof ProjectRow>

export const ProjectReceipt = t.Object({
  project_id: ProjectId,
  key: t.String(),
  title: t.String(),
  status: Status,
  changed: t.Array(t.String()),
  url: t.String(),
})

export const rules = {
  working_rules: orNull(Text),
  definition_of_done: t.Array(t.String({ minLength: 1, maxLength: 2000 }), { maxItems: 100 }),
  notes: orNull(Text),
  model_selected: orNull(t.String({ maxLength: 200 })),
}
export const Playbook = t.Object(
  {
    project_id: ProjectId,
    ...rules,
    version: t.Integer({ description: 'Send as if_version with a change' }),
  },
  { columns: [...Object.keys(rules), 'version'], omits: { project_id: 'the call names it' } },
)
export type Playbook = Static<typeof Playbook>

export const PlaybookReceipt = t.Object({
  project_id: ProjectId,
  version: t.Integer(),
  changed: t.Array(t.String()),
})

export const Instructions = t.Object(
  { project_id: ProjectId, custom_instruction: orNull(Text) },
  { omits: { project_id: 'the call names it' } },
)

/** The guidance of a board as it accompanies the board and each task. */
export const Guidance = {
  playbook: orNull(Playbook),
  custom_instruction: orNull(
    t.String({ description: 'AI instructions of the board; long texts are truncated' }),
  ),
}
