import { and, eq, or } from 'drizzle-orm'
import type { Context } from '../../../../../kernel/caller.ts'
import { matchNames, toNamed } from '../../../../../search/titles/names.ts'
import { titleWords } from '../../../../../search/titles/words.ts'
import { ofOwner, skills, visibleSkills } from '../../../../agents/skills/model/index.ts'
import type { Board } from './boards.ts'
import type { QuickMatch } from './schema.ts'

/** Boards by title or key. */
export function boardMatches(
  ctx: Context,
  query: string,
  boards: Iterable<Board>,
  limit: number,
): QuickMatch[] {
  const names = [...boards].map((board) => toNamed(board, `${board.title} ${board.key}`))
  return matchNames(titleWords(query), names, limit).map(({ item, score }) => ({
    ...{ kind: 'board', id: item.project_id, title: item.title, key: item.key },
    ...{ board: item.title, project_id: item.project_id, done: false },
    ...{ url: `${ctx.server.url}/projects/${item.project_id}`, score },
  }))
}

/** Enabled skills of the caller, and of the given board. */
export async function skillMatches(
  ctx: Context,
  query: string,
  board: Board | undefined,
  limit: number,
): Promise<QuickMatch[]> {
  const owners = or(ofOwner(ctx, undefined), board && ofOwner(ctx, board))
  const rows = await ctx.tx
    .select({
      skill_id: skills.skill_id,
      project_id: skills.project_id,
      slug: skills.slug,
      name: skills.name,
    })
    .from(skills)
    .where(and(owners, visibleSkills(ctx), eq(skills.enabled, true)))
  const names = rows.map((skill) => toNamed(skill, `${skill.slug} ${skill.name}`))
  return matchNames(titleWords(query), names, limit).map(({ item, score }) => ({
    ...{ kind: 'skill', id: item.skill_id, title: item.name, key: item.slug },
    ...{ board: item.project_id === null ? null : (board?.title ?? null), done: false },
    ...{ project_id: item.project_id, url: null, score },
  }))
}
