import type { Context } from '../../../../kernel/caller.ts'
import { createLabel, findLabels, labelsOf } from '../../../boards/labels/model/index.ts'
import { foldName, type Project } from '../../../boards/projects/model/index.ts'
import { sectionsOf } from '../../../boards/sections/model/index.ts'
import { boardActors } from '../../../identity/members/model/index.ts'
import { authorOf, type CodeHost } from '../../hosts/model/index.ts'

const MAX_LABEL = 100

/** Boards have no longer names of labels. */
export const isUsableLabel = (name: string) => name.trim() !== '' && name.trim().length <= MAX_LABEL

/** The names of labels that the board can have; missing ones are created. */
export async function boardLabels(
  ctx: Context,
  project: Project,
  names: readonly string[],
): Promise<string[]> {
  const usable = names.filter(isUsableLabel).map((name) => name.trim())
  const known = await labelsOf(ctx.tx, project)
  for (const name of usable)
    if (!known.some((label) => foldName(label.name) === foldName(name)))
      known.push(await createLabel(ctx, project, { name }))
  return (await findLabels(ctx, project, usable)).map(({ name }) => name)
}

/** The members behind accounts who can see the board, and the names of all other accounts. */
export async function boardPeople(
  ctx: Context,
  project: Project,
  host: CodeHost,
  logins: readonly string[],
): Promise<{ people: number[]; others: string[] }> {
  if (!logins.length) return { people: [], others: [] }
  const visible = await boardActors(ctx, project)
  const people: number[] = []
  const others: string[] = []
  for (const login of logins) {
    const author = await authorOf(ctx.tx, host, { login })
    const isVisible = visible.some(({ actor_id }) => actor_id === author?.actor_id)
    if (author?.isMember && isVisible) people.push(author.actor_id)
    else others.push(login)
  }
  return { people: [...new Set(people)], others }
}

/** The column for a closed issue; undefined if the board has none. */
export const doneSection = async ({ tx }: Context, project: Project) =>
  (await sectionsOf(tx, project)).find(({ done }) => done)
