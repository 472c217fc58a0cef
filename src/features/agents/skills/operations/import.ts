import { type Static, Type as t } from '@sinclair/typebox'
import type { Context } from '../../../../kernel/caller.ts'
import { operation } from '../../../../kernel/operation.ts'
import { ProjectId } from '../../../boards/projects/model/index.ts'
import { type Offer, offersAt } from '../model/import/offers.ts'
import { orNull, ownerFields, Scope, SkillId, SLUG } from '../model/schema.ts'
import {
  changeSkill,
  insertSkill,
  lockOwner,
  type Owner,
  ownerFor,
  type Skill,
  skillsOf,
} from '../model/store.ts'
import { forBoards } from './skills.ts'

/** The length of each text in a preview. */
const PREVIEW_LENGTH = 2000

const State = t.Union(
  [t.Literal('created'), t.Literal('updated'), t.Literal('unchanged'), t.Literal('conflict')],
  { description: 'conflict: another skill has that slug, so this one was not imported' },
)
const Outcome = t.Object({
  skill_id: orNull(SkillId),
  slug: t.String(),
  found: t.String({ description: 'Slug in the repository, for use in slugs' }),
  name: t.String(),
  description: t.String(),
  state: State,
  path: t.String({ description: 'Path of its file' }),
  source: t.String(),
  problem: t.Optional(t.String()),
  body: t.Optional(
    t.String({ description: `With dry_run: the first ${PREVIEW_LENGTH} characters` }),
  ),
})
type Outcome = Static<typeof Outcome>

const SLUG_AS = `${SLUG.slice(0, -1)}(=${SLUG.slice(1, -1)})?$`

export const bring = operation({
  name: 'skills.import',
  summary: 'Import skills from a directory on a code host; dry_run previews the import',
  needs: 'profile:write',
  elevatedScope: forBoards,
  destroys: true,
  on: {
    rest: 'POST /api/v1/skills/import',
    mcp: 'svc_skills.import',
    cli: {
      usage: 'skills import <url>',
      example:
        'https://github.com/ada/kit/tree/main/skills --slugs triage --scope project --project HOM --dry-run',
    },
    chat: true,
  },
  input: t.Object({
    url: t.String({
      minLength: 1,
      maxLength: 2000,
      description: 'URL of a directory on a code host',
    }),
    slugs: t.Optional(
      t.Array(t.String({ minLength: 1, maxLength: 130, pattern: SLUG_AS }), {
        minItems: 1,
        maxItems: 100,
        description: 'Import only these; slug=other imports one under another slug',
      }),
    ),
    ...ownerFields,
    dry_run: t.Optional(t.Boolean({ description: 'Preview without saving' })),
  }),
  output: t.Object({
    dry_run: t.Boolean(),
    scope: Scope,
    project_id: orNull(ProjectId),
    skills: t.Array(Outcome),
  }),
  async prepare({ url, slugs, scope, project_id }, ask) {
    // Checks the rights before anything is downloaded.
    await ask.read((tx) => ownerFor({ ...ask, tx }, { scope, project_id }))
    return offersAt(ask.server, url, slugs)
  },
  async run({ scope, project_id, dry_run = false }, ctx, offers) {
    const board = await ownerFor(ctx, { scope, project_id })
    await lockOwner(ctx, board)
    const existing = await skillsOf(ctx, board)
    const skills: Outcome[] = []
    for (const offer of offers)
      skills.push(await importSkill(ctx, board, { existing, offer, dry_run }))
    for (const { path, unknown } of offers)
      if (unknown.length)
        ctx.warn('url', 'unknown_field', `${path}: unknown keys ${unknown.join(', ')}`)
    return { dry_run, scope: scope ?? 'user', project_id: project_id ?? null, skills }
  },
})

interface ImportOptions {
  existing: readonly Skill[]
  offer: Offer
  dry_run: boolean
}

/** Imports one skill. An existing skill with its slug from elsewhere is left unchanged. */
async function importSkill(ctx: Context, board: Owner, options: ImportOptions): Promise<Outcome> {
  const { existing, offer, dry_run } = options
  const { draft, path, source, as } = offer
  const imported = existing.find((one) => one.source === source)
  const slug = as ?? imported?.slug ?? draft.slug
  const other = existing.find((one) => one.slug === slug && one !== imported)
  const { name, description, body } = draft
  const summary = {
    slug,
    found: draft.slug,
    name,
    description,
    path,
    source,
    ...(dry_run && { body: body.slice(0, PREVIEW_LENGTH).toWellFormed() }),
  }
  if (other) return { skill_id: other.skill_id, ...summary, state: 'conflict', ...conflict(other) }
  // An update does not change `enabled`, which is decided on this server.
  const { enabled, ...content } = { ...draft, slug }
  if (imported) {
    const isSame = Object.entries(content).every(
      ([field, value]) => imported[field as 'name'] === value,
    )
    if (!isSame && !dry_run) await changeSkill(ctx, board, imported, content)
    return { skill_id: imported.skill_id, ...summary, state: isSame ? 'unchanged' : 'updated' }
  }
  if (dry_run) return { skill_id: null, ...summary, state: 'created' }
  const { skill_id } = await insertSkill(ctx, board, { ...content, enabled }, source)
  return { skill_id, ...summary, state: 'created' }
}

const conflict = ({ slug, skill_id, source }: Skill) => ({
  problem: `/${slug} is skill ${skill_id}, ${source ? `imported from ${source}` : 'created here'}; to keep both, import with slugs ["${slug}=another-slug"]`,
})
