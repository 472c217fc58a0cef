import { type Static, type TSchema, Type as t } from '@sinclair/typebox'
import { SkillId } from '../../../agents/skills/model/index.ts'
import { Actor, Id, Timestamp } from '../../../identity/people/model/index.ts'
import { ProjectId, rules } from '../model/index.ts'

const orNull = <T extends TSchema>(type: T) => t.Union([type, t.Null()])

export const VersionId = Id('Id of a version, as svc_projects versions lists them')
export const Kind = t.Union([t.Literal('playbook'), t.Literal('instructions'), t.Literal('skill')])

const version = {
  version_id: VersionId,
  project_id: ProjectId,
  kind: Kind,
  skill_id: orNull(SkillId),
  slug: orNull(t.String({ description: 'Of a skill' })),
  version: t.Integer(),
  changed: t.Array(t.String(), { description: 'Fields that this version changed' }),
  author: orNull(Actor),
  created_at: Timestamp,
}
export const VersionRow = t.Object(version, {
  columns: ['version_id', 'kind', 'slug', 'version', 'changed', 'author', 'created_at'],
  omits: { project_id: 'the call names it', skill_id: 'slug names the skill' },
})
export type VersionRow = Static<typeof VersionRow>

/** The fields of this kind of guidance. */
const Content = t.Partial(
  t.Object({
    ...rules,
    custom_instruction: orNull(t.String()),
    slug: t.String(),
    name: t.String(),
    description: t.String(),
    argument_hint: orNull(t.String()),
    body: t.String(),
    enabled: t.Boolean(),
  }),
)
export type Content = Static<typeof Content>

export const WholeVersion = t.Object(
  { ...version, content: Content },
  {
    columns: ['version_id', 'kind', 'version', 'author', 'created_at', 'content'],
    omits: { project_id: 'the call names it' },
  },
)
export const RestoreReceipt = t.Object({
  project_id: ProjectId,
  kind: Kind,
  skill_id: orNull(SkillId),
  restored: t.Integer({ description: 'The version that was restored' }),
  changed: t.Array(t.String()),
})
