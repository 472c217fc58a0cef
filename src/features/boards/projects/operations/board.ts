import { Type as t } from '@sinclair/typebox'
import { operation } from '../../../../kernel/operation.ts'
import { lastSeq } from '../../../../store/log.ts'
import { asActor } from '../../../identity/people/model/index.ts'
import { countsOf } from '../../../tasks/tasks/model/index.ts'
import { labelsOf } from '../../labels/model/index.ts'
import { sectionsOf } from '../../sections/model/index.ts'
import { findProject, mayManage, ProjectId } from '../model/index.ts'
import { allCards, cardsOfTasks, MAX_CARDS } from './board-cards.ts'
import { changedSince } from './board-delta.ts'
import { Board } from './board-schema.ts'

export const board = operation({
  name: 'projects.board',
  summary: 'A board with all its cards, or only the changes since an earlier seq',
  needs: 'tasks:read',
  // `since` returns the changes of the board itself.
  dependsOn: ['member', 'profile', 'agent'],
  heavy: ({ since }) => since === undefined,
  on: { rest: 'GET /api/v1/projects/:project_id/board' },
  input: t.Object({
    project_id: ProjectId,
    since: t.Optional(
      t.Integer({ minimum: 0, maximum: 2 ** 52, description: 'seq of your last response' }),
    ),
  }),
  output: Board,
  async run({ project_id, since }, ctx) {
    const project = await findProject(ctx, project_id)
    const { tx } = ctx
    // Read first, so that changes written while the cards are read are included in the next delta.
    const seq = await lastSeq(tx)
    const changed = since === undefined ? undefined : await changedSince(ctx, project, since, seq)
    const columns = await sectionsOf(tx, project)
    const { cards, actors } = changed
      ? await cardsOfTasks(ctx, project, changed.ids)
      : await allCards(ctx, columns)
    const counts = await countsOf(tx, project)
    const total = [...counts.values()].reduce((sum, tasks) => sum + tasks, 0)
    const shownIds = new Set(cards.map(({ task_id }) => task_id))
    const { key, title, description, team_id, access, status } = project
    return {
      project_id,
      key,
      title,
      description,
      team_id,
      access,
      status,
      seq,
      may_manage: mayManage(ctx.caller, project),
      whole: !changed,
      sections: columns.map(({ section_id, title, role, done, hidden, wip_limit, color }) => ({
        section_id,
        title,
        role,
        done,
        hidden,
        wip_limit,
        color,
        task_count: counts.get(section_id) ?? 0,
      })),
      labels: (await labelsOf(tx, project)).map(({ label_id, name, color }) => ({
        label_id,
        name,
        color,
      })),
      actors: [...actors.values()].map(asActor),
      cards,
      gone: changed?.changedIds.filter((task_id) => !shownIds.has(task_id)) ?? [],
      left_out: Math.max(0, total - MAX_CARDS),
    }
  },
})
