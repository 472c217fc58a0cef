import { type Static, type TSchema, Type as t } from '@sinclair/typebox'
import { ProjectId } from '../../../boards/projects/model/index.ts'
import { Actor, Id, Timestamp } from '../../../identity/people/model/index.ts'

/** The maximum number of skills of one person or one board. */
export const MAX_SKILLS = 200
export const MOST = { name: 100, slug: 64, description: 1024, argument_hint: 200, body: 100_000 }

export const orNull = <T extends TSchema>(type: T) => t.Union([type, t.Null()])

export const SkillId = Id('Id of a skill')
export const Scope = t.Union([t.Literal('user'), t.Literal('project')], {
  description: 'user: your own; project: of a board; default user',
})
export const SLUG = '^[a-z0-9]+(-[a-z0-9]+)*$'
const Slug = t.String({
  minLength: 1,
  maxLength: MOST.slug,
  pattern: SLUG,
  description: 'Lowercase, digits and dashes; invoked as /slug; default: from the name',
})

/** The input fields of a skill. */
export const skillFields = {
  name: t.Optional(
    t.String({ minLength: 1, maxLength: MOST.name, description: 'Name of the skill' }),
  ),
  slug: t.Optional(Slug),
  description: t.Optional(
    t.String({ maxLength: MOST.description, description: 'What it is for, and when to use it' }),
  ),
  body: t.Optional(
    t.String({ minLength: 1, maxLength: MOST.body, description: 'The instructions, in markdown' }),
  ),
  argument_hint: t.Optional(
    orNull(
      t.String({
        maxLength: MOST.argument_hint,
        description: 'Arguments accepted after the slug; null: none',
      }),
    ),
  ),
  enabled: t.Optional(t.Boolean({ description: 'Whether it can be invoked; default true' })),
  markdown: t.Optional(
    t.String({
      minLength: 1,
      maxLength: 2 * MOST.body,
      description: 'A complete skill file with front matter, instead of name, slug and body',
    }),
  ),
}
const SkillInput = t.Object(skillFields)
export type SkillInput = Static<typeof SkillInput>

/** The owner of a skill. A board's skill needs more rights than one's own. */
export const ownerFields = {
  scope: t.Optional(t.Union(Scope.anyOf, { ...Scope, needs: 'projects:instruct' })),
  project_id: t.Optional(
    t.Integer({
      ...ProjectId,
      description: 'Board of the skill; required with scope project',
      needs: 'projects:instruct',
    }),
  ),
}

export const SkillRow = t.Object(
  {
    skill_id: SkillId,
    scope: Scope,
    project_id: orNull(ProjectId),
    slug: t.String(),
    name: t.String(),
    description: t.String(),
    argument_hint: orNull(t.String()),
    enabled: t.Boolean(),
    source: orNull(t.String({ description: 'URL that it was imported from' })),
    created_by: Actor,
    last_used_at: orNull(Timestamp),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  {
    columns: ['skill_id', 'slug', 'name', 'description', 'argument_hint', 'enabled'],
    omits: { created_at: 'updated_at is the later of the two' },
  },
)
export type SkillRow = Static<typeof SkillRow>

export const FullSkill = t.Object(
  {
    ...SkillRow.properties,
    body: t.String(),
    markdown: t.String({ description: 'The complete file; sending it back gives the same skill' }),
  },
  {
    columns: ['skill_id', 'slug', 'name', 'description', 'argument_hint', 'enabled', 'body'],
    omits: {
      markdown: 'body and the other fields hold it',
      created_at: 'updated_at is the later of the two',
    },
  },
)

export const SkillReceipt = t.Object({
  skill_id: SkillId,
  scope: Scope,
  project_id: orNull(ProjectId),
  slug: t.String(),
  name: t.String(),
  enabled: t.Boolean(),
  changed: t.Array(t.String()),
})
export type SkillReceipt = Static<typeof SkillReceipt>
