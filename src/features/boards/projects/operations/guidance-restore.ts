import { Type as t } from '@sinclair/typebox'
import type { Context } from '../../../../kernel/caller.ts'
import { operation } from '../../../../kernel/operation.ts'
import {
  changeSkill,
  type Draft,
  insertSkill,
  skillsOf,
} from '../../../agents/skills/model/index.ts'
import { type Project, ProjectId } from '../model/index.ts'
import { lockedProject, writeInstructions, writePlaybook } from './guidance.ts'
import { type Content, RestoreReceipt, VersionId } from './guidance-schema.ts'
import { findVersion, type Version } from './guidance-store.ts'

export const restore = operation({
  name: 'guidance.restore',
  summary: 'Restore a version of a playbook, of instructions or of a skill',
  needs: 'projects:instruct',
  destroys: true,
  on: {
    rest: 'POST /api/v1/projects/:project_id/guidance/restore',
    mcp: 'svc_projects.restore',
    cli: { usage: 'projects restore <project_id> <version_id>', example: 'HOM 3' },
    chat: true,
  },
  input: t.Object({ project_id: ProjectId, version_id: VersionId }),
  output: RestoreReceipt,
  async run({ project_id, version_id }, ctx) {
    const project = await lockedProject(ctx, project_id)
    const row = await findVersion(ctx, project, version_id)
    const { changed, skill_id = null } = await restored(ctx, project, row)
    return { project_id, kind: row.kind, skill_id, restored: row.version, changed: [...changed] }
  },
})

async function restored(
  ctx: Context,
  project: Project,
  { kind, skill_id, version, ...row }: Version,
): Promise<{ changed: readonly string[]; skill_id?: number }> {
  const content = row.content as Content
  if (kind === 'playbook') return writePlaybook(ctx, project, content, version)
  if (kind === 'instructions')
    return writeInstructions(ctx, project, content.custom_instruction ?? null, version)
  const draft = content as Draft
  const skill = (await skillsOf(ctx, project)).find((one) => one.skill_id === skill_id)
  if (skill) return { ...(await changeSkill(ctx, project, skill, draft)), skill_id }
  // A deleted skill is restored under a new id.
  const created = await insertSkill(ctx, project, draft)
  return { changed: Object.keys(draft), skill_id: created.skill_id }
}
