import { and, eq, max } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { type GuidanceKind, guidanceVersions } from './tables.ts'

type Content = Record<string, unknown>

interface VersionInput {
  team_id: number
  project_id: number
  kind: GuidanceKind
  skill_id?: number
  content: Content
  changed: readonly string[]
  /** Set if the number is counted elsewhere; defaults to the last version plus one. */
  version?: number
  /** The former content. It is saved first if it was written before versions were stored. */
  before?: { content: Content; created_at: Date }
}

/**
 * Saves a version of a board's guidance. The caller must have locked the board, so that numbers
 * have no gaps.
 */
export async function saveGuidanceVersion(ctx: Context, input: VersionInput): Promise<number> {
  const { team_id, project_id, kind, skill_id = 0, content, changed, before } = input
  const subject = { team_id, project_id, kind, skill_id }
  const last = await lastVersion(ctx, subject)
  const hasUnversioned = last === null && before && Object.values(before.content).some(isFilled)
  const first = input.version === undefined ? 1 : input.version - 1
  if (hasUnversioned)
    await ctx.tx.insert(guidanceVersions).values({
      ...subject,
      version: first,
      content: before.content,
      changed: [],
      author_id: null,
      created_at: before.created_at,
    })
  const version = input.version ?? (last ?? (hasUnversioned ? first : 0)) + 1
  await ctx.tx.insert(guidanceVersions).values({
    ...subject,
    version,
    content,
    changed: [...changed],
    author_id: ctx.caller.actor_id,
    created_at: ctx.now,
  })
  return version
}

interface Subject {
  team_id: number
  project_id: number
  kind: GuidanceKind
  skill_id: number
}

async function lastVersion({ tx }: Context, subject: Subject): Promise<number | null> {
  const { team_id, project_id, kind, skill_id, version } = guidanceVersions
  const [row] = await tx
    .select({ last: max(version) })
    .from(guidanceVersions)
    .where(
      and(
        eq(team_id, subject.team_id),
        eq(project_id, subject.project_id),
        eq(kind, subject.kind),
        eq(skill_id, subject.skill_id),
      ),
    )
  return row?.last ?? null
}

const isFilled = (value: unknown) =>
  Array.isArray(value) ? value.length > 0 : value !== null && value !== ''
