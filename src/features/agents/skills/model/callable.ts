import { and, asc, eq, inArray, or, type SQL } from 'drizzle-orm'
import { type Format, proseOf } from '../../../../content/index.ts'
import type { Context } from '../../../../kernel/caller.ts'
import { findVisibleProject } from '../../../boards/projects/model/index.ts'
import { isSlug } from './draft.ts'
import { ofOwner, type Skill } from './store.ts'
import { skills } from './tables.ts'

type Seer = Pick<Context, 'tx' | 'caller'>

/**
 * The condition for skills that the caller can use: their own, and those of a board that they can
 * see.
 */
async function callableSkills(ctx: Seer, project_id: number | undefined): Promise<SQL> {
  const board =
    project_id === undefined || !ctx.caller.scopes.has('projects:read')
      ? undefined
      : await findVisibleProject(ctx, project_id)
  const own = ofOwner(ctx, undefined)
  return and(eq(skills.enabled, true), board ? or(own, ofOwner(ctx, board)) : own)!
}

/** One skill per slug: a skill of the board takes precedence over the caller's own. */
function uniqueBySlug<T extends Pick<Skill, 'slug' | 'project_id'>>(rows: readonly T[]): T[] {
  const bySlug = new Map<string, T>()
  for (const row of rows)
    if (row.project_id !== null || !bySlug.has(row.slug)) bySlug.set(row.slug, row)
  return [...bySlug.values()]
}

/** The enabled skill with this slug. */
export async function skillFor(
  ctx: Seer,
  project_id: number | undefined,
  slug: string,
): Promise<Skill | undefined> {
  if (!isSlug(slug)) return undefined
  const condition = and(await callableSkills(ctx, project_id), eq(skills.slug, slug))
  return uniqueBySlug(await ctx.tx.select().from(skills).where(condition))[0]
}

type EnabledSkill = Pick<
  Skill,
  'skill_id' | 'project_id' | 'slug' | 'name' | 'description' | 'argument_hint'
>

/** All enabled skills, by slug, without their bodies. */
export async function enabledSkills(
  ctx: Seer,
  project_id: number | undefined,
): Promise<EnabledSkill[]> {
  const { skill_id, slug, name, description, argument_hint } = skills
  const rows = await ctx.tx
    .select({
      skill_id,
      project_id: skills.project_id,
      slug,
      name,
      description,
      argument_hint,
    })
    .from(skills)
    .where(await callableSkills(ctx, project_id))
    .orderBy(asc(skills.slug))
  return uniqueBySlug(rows)
}

const MAX_NAMED = 20
/** The maximum number of @ words that are examined. */
const MAX_READ = 1000
/** Does not match email addresses, paths or packages. */
const AT_SLUG =
  /(?<![\p{L}\p{N}_.+@/-])@([a-z0-9]+(?:-[a-z0-9]+)*)(?![\p{L}\p{N}_/@(-]|\.[\p{L}\p{N}])/gu

/** The possible slugs after an @, each once; code is ignored. */
function slugsIn(text: string, format: Format = 'markdown'): string[] {
  if (!text.includes('@') && !text.includes('&')) return []
  const found = proseOf(text, format).matchAll(AT_SLUG).take(MAX_READ)
  return [...new Set([...found].map(([, slug = '']) => slug))].filter(isSlug)
}

/** The skills of a board that a text names as `@slug`, in the order of the text. */
export async function skillsNamedIn(
  ctx: Seer,
  project_id: number,
  text: string,
  format?: Format,
): Promise<Skill[]> {
  const slugs = slugsIn(text, format).slice(0, MAX_NAMED)
  if (!slugs.length) return []
  const condition = and(await callableSkills(ctx, project_id), inArray(skills.slug, slugs))
  const rows = uniqueBySlug(await ctx.tx.select().from(skills).where(condition))
  return rows.sort((a, b) => slugs.indexOf(a.slug) - slugs.indexOf(b.slug))
}
