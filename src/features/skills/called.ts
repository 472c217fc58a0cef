import { and, asc, eq, inArray, or, type SQL } from 'drizzle-orm'
import { type Format, proseOf } from '../../content/index.ts'
import type { Context } from '../../kernel/caller.ts'
import { seenProject } from '../projects/index.ts'
import { isSlug } from './draft.ts'
import { ofOwner, type Skill } from './store.ts'
import { skills } from './tables.ts'

type Seer = Pick<Context, 'tx' | 'caller'>

/** What can be called there: one's own skills, and those of a board that the caller sees. */
async function callable(ctx: Seer, project_id: number | undefined): Promise<SQL> {
  const board =
    project_id === undefined || !ctx.caller.scopes.has('projects:read')
      ? undefined
      : await seenProject(ctx, project_id)
  const own = ofOwner(ctx, undefined)
  return and(eq(skills.enabled, true), board ? or(own, ofOwner(ctx, board)) : own)!
}

/** Each slug once: what the board says goes before what somebody says for themselves. */
function once<T extends Pick<Skill, 'slug' | 'project_id'>>(rows: readonly T[]): T[] {
  const meant = new Map<string, T>()
  for (const row of rows)
    if (row.project_id !== null || !meant.has(row.slug)) meant.set(row.slug, row)
  return [...meant.values()]
}

/** The skill that a slug calls, if there is one that is switched on. */
export async function skillFor(
  ctx: Seer,
  project_id: number | undefined,
  slug: string,
): Promise<Skill | undefined> {
  if (!isSlug(slug)) return undefined
  const wanted = and(await callable(ctx, project_id), eq(skills.slug, slug))
  return once(await ctx.tx.select().from(skills).where(wanted))[0]
}

type EnabledSkill = Pick<
  Skill,
  'skill_id' | 'project_id' | 'slug' | 'name' | 'description' | 'argument_hint'
>

/** All that can be called there, by slug, without their texts. */
export async function enabledSkills(
  ctx: Seer,
  project_id: number | undefined,
): Promise<EnabledSkill[]> {
  const { skill_id, slug, name, description, argument_hint } = skills
  const rows = await ctx.tx
    .select({
      ...{ skill_id, project_id: skills.project_id },
      ...{ slug, name, description, argument_hint },
    })
    .from(skills)
    .where(await callable(ctx, project_id))
    .orderBy(asc(skills.slug))
  return once(rows)
}

const MOST_NAMED = 20
/** Further words behind an @ are not looked at. */
const MOST_READ = 1000
/** No e-mail address, no path, no package. */
const AT_SLUG =
  /(?<![\p{L}\p{N}_.+@/-])@([a-z0-9]+(?:-[a-z0-9]+)*)(?![\p{L}\p{N}_/@(-]|\.[\p{L}\p{N}])/gu

/** The words behind an @ that may be slugs, each once; code names nothing. */
function slugsIn(text: string, format: Format = 'markdown'): string[] {
  if (!text.includes('@') && !text.includes('&')) return []
  const found = proseOf(text, format).matchAll(AT_SLUG).take(MOST_READ)
  return [...new Set([...found].map(([, slug = '']) => slug))].filter(isSlug)
}

/** The skills of a board that a text names as `@slug`, in the order of the text. */
export async function skillsNamedIn(
  ctx: Seer,
  project_id: number,
  text: string,
  format?: Format,
): Promise<Skill[]> {
  const slugs = slugsIn(text, format).slice(0, MOST_NAMED)
  if (!slugs.length) return []
  const wanted = and(await callable(ctx, project_id), inArray(skills.slug, slugs))
  const rows = once(await ctx.tx.select().from(skills).where(wanted))
  return rows.sort((a, b) => slugs.indexOf(a.slug) - slugs.indexOf(b.slug))
}
