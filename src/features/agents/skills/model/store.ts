import { and, asc, count, eq, inArray, isNotNull, isNull, type SQL } from 'drizzle-orm'
import type { Context, Scope as Right, Tx } from '../../../../kernel/caller.ts'
import type { ChangeVerb } from '../../../../kernel/changes.ts'
import { missingScope } from '../../../../kernel/dispatch.ts'
import { fault } from '../../../../kernel/fault.ts'
import { pick } from '../../../../kernel/list.ts'
import { lock } from '../../../../store/lock.ts'
import {
  findProject,
  findVisibleProject,
  lockProject,
  type Project,
  placeOf,
  saveGuidanceVersion,
} from '../../../boards/projects/model/index.ts'
import { actorsOf, asActor } from '../../../identity/people/model/index.ts'
import { type Draft, FIELDS } from './draft.ts'
import { formatSkillFile } from './front-matter.ts'
import { MAX_SKILLS, type SkillReceipt, type SkillRow } from './schema.ts'
import { skills } from './tables.ts'

export type Skill = typeof skills.$inferSelect
/** A row of a list, without the body. */
export type Listed = Omit<Skill, 'body'>
/** The owner of skills: a board, or the caller if undefined. */
export type Owner = Project | undefined
type Seer = Pick<Context, 'tx' | 'caller'>

export const ofOwner = (
  { caller }: Pick<Context, 'caller'>,
  board: Pick<Project, 'team_id' | 'project_id'> | undefined,
): SQL =>
  board
    ? and(eq(skills.team_id, board.team_id), eq(skills.project_id, board.project_id))!
    : and(eq(skills.actor_id, caller.actor_id), isNull(skills.project_id))!

/** Disabled skills are hidden from agents that may not enable them. */
export const visibleTo = ({ caller }: Pick<Context, 'caller'>): SQL | undefined =>
  caller.kind === 'agent' && !caller.scopes.has('projects:instruct')
    ? eq(skills.enabled, true)
    : undefined

/** Loads a board whose skills are read or written; checks the rights for that. */
export async function boardFor(ctx: Seer, project_id: number, needs: Right): Promise<Project> {
  if (!ctx.caller.scopes.has(needs)) throw missingScope(needs)
  return findProject({ ...ctx, needs }, project_id)
}

/** The owner of a new skill. */
export async function ownerFor(
  ctx: Seer,
  { scope = 'user', project_id }: { scope?: 'user' | 'project'; project_id?: number },
): Promise<Owner> {
  if (scope === 'project') {
    if (project_id !== undefined) return boardFor(ctx, project_id, 'projects:instruct')
    throw fault.invalid(
      'project_id',
      'required',
      'project_id is required when scope is project',
      undefined,
      'List your boards: svc_projects list, or GET /api/v1/projects',
    )
  }
  if (project_id !== undefined)
    throw fault.invalid(
      'scope',
      'conflict',
      'A skill with a project_id has scope project',
      scope,
      'Add "scope": "project", or leave out project_id to create a skill of your own',
    )
  if (ctx.caller.kind === 'agent')
    throw fault.forbidden(
      'Agents have no skills of their own',
      'Create a board skill: send "scope": "project" and project_id',
    )
  return undefined
}

const skillNotFound = (skill_id: number) =>
  fault.notFound(
    'skill_id',
    `There is no skill ${skill_id} that you can see`,
    skill_id,
    'List them: svc_skills list, or GET /api/v1/skills; add project_id for the skills of a board',
  )

interface Located {
  skill: Skill
  board: Owner
}

/** Loads a skill and its board; checks the rights of the caller there. */
export async function locateSkill(ctx: Context, skill_id: number): Promise<Located> {
  const isReading = ctx.needs.endsWith(':read')
  const [skill] = await ctx.tx.select().from(skills).where(eq(skills.skill_id, skill_id))
  if (!skill) throw skillNotFound(skill_id)
  if (skill.project_id === null) {
    if (skill.actor_id !== ctx.caller.actor_id) throw skillNotFound(skill_id)
    return { skill, board: undefined }
  }
  const board = await findVisibleProject(ctx, skill.project_id)
  if (!board || (visibleTo(ctx) && !skill.enabled)) throw skillNotFound(skill_id)
  await boardFor(ctx, board.project_id, isReading ? 'projects:read' : 'projects:instruct')
  return { skill, board }
}

/** Serialises writers of one owner, so that what they have read stays valid. */
export const lockOwner = ({ tx, caller }: Seer, board: Owner): Promise<void> =>
  board ? lockProject(tx, board) : lock(tx, `skills:${caller.actor_id}`)

/** Loads a skill after locking its owner. */
export async function lockSkill(ctx: Context, skill_id: number): Promise<Located> {
  const { board } = await locateSkill(ctx, skill_id)
  await lockOwner(ctx, board)
  return locateSkill(ctx, skill_id)
}

export const skillsOf = (ctx: Seer, board: Owner): Promise<Skill[]> =>
  ctx.tx.select().from(skills).where(ofOwner(ctx, board)).orderBy(asc(skills.slug))

/** Throws if another skill of the owner has the slug. */
async function checkSlug(ctx: Context, board: Owner, slug: string, own?: number): Promise<void> {
  const [same] = await ctx.tx
    .select({ skill_id: skills.skill_id })
    .from(skills)
    .where(and(ofOwner(ctx, board), eq(skills.slug, slug)))
  if (!same || same.skill_id === own) return
  throw fault.conflict(
    `${board ? 'This board' : 'You'} already ${board ? 'has' : 'have'} a skill /${slug}`,
    { field: 'slug', value: slug, skill_id: same.skill_id },
    `Change that one: svc_skills update {"skill_id": ${same.skill_id}}; or use another slug`,
  )
}

async function checkRoom(ctx: Context, board: Owner): Promise<void> {
  const [row] = await ctx.tx.select({ many: count() }).from(skills).where(ofOwner(ctx, board))
  if (row!.many < MAX_SKILLS) return
  throw fault.conflict(
    `${board ? 'A board has' : 'You have'} at most ${MAX_SKILLS} skills`,
    { limit: MAX_SKILLS },
    'Delete an unused one: svc_skills delete',
  )
}

/** Inserts a skill. The caller must have locked the owner. */
export async function insertSkill(
  ctx: Context,
  board: Owner,
  draft: Draft,
  source: string | null = null,
): Promise<Skill> {
  await checkRoom(ctx, board)
  await checkSlug(ctx, board, draft.slug)
  const [skill] = await ctx.tx
    .insert(skills)
    .values({
      team_id: board?.team_id ?? null,
      project_id: board?.project_id ?? null,
      actor_id: ctx.caller.actor_id,
      ...draft,
      source,
      last_used_at: null,
      created_at: ctx.now,
      updated_at: ctx.now,
    })
    .returning()
  const version = await saveSkillVersion(ctx, board, skill!, [...FIELDS])
  emitSkill(ctx, 'created', board, skill!, { version })
  return skill!
}

/** Updates the fields that differ. The caller must have locked the owner. */
export async function changeSkill(
  ctx: Context,
  board: Owner,
  skill: Skill,
  fields: Partial<Draft>,
): Promise<{ skill: Skill; changed: string[] }> {
  const next = { ...skill, ...fields }
  const changed = FIELDS.filter((field) => next[field] !== skill[field])
  if (!changed.length) return { skill, changed }
  if (changed.includes('slug')) await checkSlug(ctx, board, next.slug, skill.skill_id)
  const { slug, name, description, argument_hint, body, enabled } = next
  await ctx.tx
    .update(skills)
    .set({ slug, name, description, argument_hint, body, enabled, updated_at: ctx.now })
    .where(eq(skills.skill_id, skill.skill_id))
  const version = await saveSkillVersion(ctx, board, next, changed, skill)
  emitSkill(ctx, 'updated', board, next, { changed, version })
  return { skill: { ...next, updated_at: ctx.now }, changed }
}

export async function deleteSkill(ctx: Context, board: Owner, skill: Skill): Promise<void> {
  await ctx.tx.delete(skills).where(eq(skills.skill_id, skill.skill_id))
  const version = await saveSkillVersion(ctx, board, skill, ['deleted'], skill)
  emitSkill(ctx, 'deleted', board, skill, { version })
}

/** Changes of one's own skills have no place, because they concern nobody else. */
function emitSkill(
  ctx: Context,
  verb: ChangeVerb<'skill'>,
  board: Owner,
  skill: Listed,
  { changed, version }: { changed?: string[]; version: number | undefined },
): void {
  const { skill_id, slug, name } = skill
  const place = board ? placeOf(board) : {}
  const changeData = { ...(changed && { changed }), ...(version !== undefined && { version }) }
  ctx.emit(`skill.${verb}`, place, { skill_id, slug, name, ...changeData })
}

export const scopeOf = ({ project_id }: Pick<Skill, 'project_id'>) =>
  project_id === null ? ('user' as const) : ('project' as const)

export async function skillRecords(tx: Tx, rows: readonly Listed[]): Promise<SkillRow[]> {
  const makers = await actorsOf(
    tx,
    rows.map(({ actor_id }) => actor_id),
  )
  const iso = (at: Date) => at.toISOString()
  return rows.map((row) => ({
    skill_id: row.skill_id,
    scope: scopeOf(row),
    project_id: row.project_id,
    slug: row.slug,
    name: row.name,
    description: row.description,
    argument_hint: row.argument_hint,
    enabled: row.enabled,
    source: row.source,
    created_by: asActor(makers.get(row.actor_id)!),
    last_used_at: row.last_used_at && iso(row.last_used_at),
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  }))
}

export const fullSkillRecord = async (tx: Tx, skill: Skill) => ({
  ...(await skillRecords(tx, [skill]))[0]!,
  body: skill.body,
  markdown: formatSkillFile(skill),
})

export const receiptOf = (skill: Skill, changed: string[]): SkillReceipt => {
  const { skill_id, project_id, slug, name, enabled } = skill
  return { skill_id, scope: scopeOf(skill), project_id, slug, name, enabled, changed }
}

/** Sorts by last use; skills that were never used come last. */
export const byUse = {
  key: skills.last_used_at,
  emptyLast: { none: isNull(skills.last_used_at), some: isNotNull(skills.last_used_at) },
}

/** Records the use of skills. */
export async function markSkillsUsed(tx: Tx, used: readonly Pick<Skill, 'skill_id'>[], now: Date) {
  if (!used.length) return
  const ids = used.map(({ skill_id }) => skill_id)
  await tx.update(skills).set({ last_used_at: now }).where(inArray(skills.skill_id, ids))
}

/** Saves a version of a board's skill. Versions of one's own skills are not kept. */
async function saveSkillVersion(
  ctx: Context,
  board: Project | undefined,
  skill: Skill,
  changed: readonly string[],
  before?: Skill,
): Promise<number | undefined> {
  if (!board) return undefined
  const { skill_id } = skill
  return saveGuidanceVersion(ctx, {
    ...placeOf(board),
    kind: 'skill' as const,
    skill_id,
    changed,
    content: pick(skill, FIELDS),
    ...(before && { before: { content: pick(before, FIELDS), created_at: before.updated_at } }),
  })
}
