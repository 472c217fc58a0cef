import { and, eq, max } from 'drizzle-orm'
import type { Context } from '../../kernel/caller.ts'
import { type GuidanceKind, guidanceVersions } from './tables.ts'

type Content = Record<string, unknown>

interface Kept {
  team_id: number
  project_id: number
  kind: GuidanceKind
  skill_id?: number
  content: Content
  changed: readonly string[]
  /** Where it is counted elsewhere; left out: one more than the last. */
  version?: number
  /** What was there before; kept as well where it was written before versions were. */
  before?: { content: Content; created_at: Date }
}

/** Keeps a version of what a board tells; whoever calls holds the board, so numbers have no gaps. */
export async function keepVersion(ctx: Context, kept: Kept): Promise<number> {
  const { team_id, project_id, kind, skill_id = 0, content, changed, before } = kept
  const subject = { team_id, project_id, kind, skill_id }
  const last = await lastVersion(ctx, subject)
  const isOld = last === null && before && Object.values(before.content).some(isSaid)
  const first = kept.version === undefined ? 1 : kept.version - 1
  if (isOld)
    await ctx.tx.insert(guidanceVersions).values({
      ...{ ...subject, version: first, content: before.content },
      ...{ changed: [], author_id: null, created_at: before.created_at },
    })
  const version = kept.version ?? (last ?? (isOld ? first : 0)) + 1
  await ctx.tx.insert(guidanceVersions).values({
    ...{ ...subject, version, content, changed: [...changed] },
    ...{ author_id: ctx.caller.actor_id, created_at: ctx.now },
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

const isSaid = (value: unknown) =>
  Array.isArray(value) ? value.length > 0 : value !== null && value !== ''
