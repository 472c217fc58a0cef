import { Type as t } from '@sinclair/typebox'
import { and, eq, inArray } from 'drizzle-orm'
import type { Context } from '../../kernel/caller.ts'
import { operation } from '../../kernel/operation.ts'
import { changesSince, type Logged, lastSeq } from '../../store/log.ts'
import { labelsOf } from '../labels/index.ts'
import { asActor } from '../people/index.ts'
import { findProject, type Project, ProjectId } from '../projects/index.ts'
import { sectionsOf } from '../sections/index.ts'
import { countsOf, relations, tasks } from '../tasks/index.ts'
import { cardsOf } from './cards.ts'
import { Board } from './schema.ts'

export const board = operation({
  name: 'projects.board',
  summary: 'A board with all its cards, or with what changed on it since',
  needs: 'tasks:read',
  on: { rest: 'GET /api/v1/projects/:project_id/board' },
  input: t.Object({
    project_id: ProjectId,
    since: t.Optional(
      t.Integer({ minimum: 0, maximum: 2 ** 52, description: 'seq of the last answer' }),
    ),
  }),
  output: Board,
  async run({ project_id, since }, ctx) {
    const project = await findProject(ctx, project_id)
    const { tx } = ctx
    const seq = await lastSeq(tx)
    const changed = since === undefined ? undefined : await changedSince(ctx, project, since, seq)
    const { cards, actors } = await cardsOf(ctx, project, changed)
    const there = new Set(cards.map(({ task_id }) => task_id))
    const counts = await countsOf(tx, project)
    const { key, title, description, team_id, access, status } = project
    return {
      ...{ project_id, key, title, description, team_id, access, status, seq },
      whole: !changed,
      sections: (await sectionsOf(tx, project)).map(
        ({ section_id, title, role, done, hidden }) => ({
          ...{ section_id, title, role, done, hidden, task_count: counts.get(section_id) ?? 0 },
        }),
      ),
      labels: (await labelsOf(tx, project)).map(({ label_id, name, color }) => ({
        ...{ label_id, name, color },
      })),
      actors: actors.map(asActor),
      cards,
      gone: (changed ?? []).filter((task_id) => !there.has(task_id)),
    }
  },
})

/** Behind by more than this, everything is sent anew. */
const MOST_CHANGES = 1000

/** Tasks that look different now, those that others made so included; nothing: ask for all. */
async function changedSince({ tx }: Context, project: Project, since: number, seq: number) {
  if (since > seq) return undefined
  const changes = await changesSince(tx, since, MOST_CHANGES)
  if (changes.length === MOST_CHANGES) return undefined
  const here = changes.filter(
    (one) => one.project_id === project.project_id || leftFrom(one) === project.project_id,
  )
  const ids = new Set(here.flatMap(({ task_id }) => task_id ?? []))
  if (!ids.size) return []
  const near = [...ids]
  const waiting = await tx
    .select({ task_id: relations.second_id })
    .from(relations)
    .where(and(eq(relations.team_id, project.team_id), inArray(relations.first_id, near)))
  const parents = await tx
    .select({ task_id: tasks.parent_task_id })
    .from(tasks)
    .where(and(eq(tasks.team_id, project.team_id), inArray(tasks.task_id, near)))
  for (const { task_id } of [...waiting, ...parents]) if (task_id !== null) ids.add(task_id)
  return [...ids]
}

/** A task that goes to another board is told of there; where it was stands in what is told. */
const leftFrom = ({ data }: Logged) =>
  (data.before as { project_id?: number } | undefined)?.project_id
