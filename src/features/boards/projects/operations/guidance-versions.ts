import { Type as t } from '@sinclair/typebox'
import { and, eq, getTableColumns } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import { listInput, listOf } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { pageOf } from '../../../../store/page.ts'
import { matchesSearch } from '../../../../store/text.ts'
import { SkillId } from '../../../agents/skills/model/index.ts'
import { actorsOf, asActor } from '../../../identity/people/model/index.ts'
import { findProject, guidanceVersions, ProjectId } from '../model/index.ts'
import { type Content, Kind, VersionId, VersionRow, WholeVersion } from './guidance-schema.ts'
import { findVersion, ofBoard, type Version } from './guidance-store.ts'

const PLACE = '/api/v1/projects/:project_id/guidance'

export const list = operation({
  name: 'guidance.versions',
  summary: 'Versions of the playbook, instructions and skills of a board',
  needs: 'projects:read',
  dependsOn: ['playbook', 'instructions', 'skill'],
  on: {
    rest: `GET ${PLACE}/versions`,
    mcp: 'svc_projects.versions',
    cli: { usage: 'projects versions <project_id>', example: 'HOM --kind playbook' },
    chat: true,
  },
  input: listInput(
    {
      project_id: ProjectId,
      kind: t.Optional(Kind),
      skill_id: t.Optional({ ...SkillId, description: 'Only of this skill; it may be deleted' }),
    },
    ['createdAt'],
  ),
  output: listOf(VersionRow),
  async run({ kind, skill_id, ...paging }, ctx) {
    const project = await findProject(ctx, paging.project_id)
    const { rows, page } = await pageOf(ctx.tx, paging, {
      name: `guidance versions ${project.project_id} ${kind} ${skill_id}`,
      from: guidanceVersions,
      columns: getTableColumns(guidanceVersions),
      where: and(
        ofBoard(ctx, project),
        kind && eq(guidanceVersions.kind, kind),
        skill_id === undefined ? undefined : eq(guidanceVersions.skill_id, skill_id),
        matchesSearch(paging, [guidanceVersions.kind]),
      ),
      sorts: { createdAt: { key: guidanceVersions.created_at } },
      id: 'version_id',
    })
    return { items: await toRows(ctx.tx, rows as Version[]), page }
  },
})

export const get = operation({
  name: 'guidance.version',
  summary: 'One version of a playbook, of instructions or of a skill',
  needs: 'projects:read',
  dependsOn: ['playbook', 'instructions', 'skill'],
  on: {
    rest: `GET ${PLACE}/versions/:version_id`,
    mcp: 'svc_projects.get_version',
    cli: { usage: 'projects version <project_id> <version_id>', example: 'HOM 3' },
    chat: true,
  },
  input: t.Object({ project_id: ProjectId, version_id: VersionId }),
  output: WholeVersion,
  async run({ project_id, version_id }, ctx) {
    const row = await findVersion(ctx, await findProject(ctx, project_id), version_id)
    return { ...(await toRows(ctx.tx, [row]))[0]!, content: row.content as Content }
  },
})

async function toRows(tx: Tx, rows: readonly Version[]): Promise<VersionRow[]> {
  const ids = rows.flatMap(({ author_id }) => (author_id === null ? [] : [author_id]))
  const authors = await actorsOf(tx, ids)
  return rows.map((row) => ({
    version_id: row.version_id,
    project_id: row.project_id,
    kind: row.kind,
    skill_id: row.kind === 'skill' ? row.skill_id : null,
    slug: (row.content as Content).slug ?? null,
    version: row.version,
    changed: row.changed,
    author: row.author_id === null ? null : asActor(authors.get(row.author_id)!),
    created_at: row.created_at.toISOString(),
  }))
}
