import { type Static, Type as t } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { pick } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { playbookOf } from '../model/playbook.ts'
import {
  Instructions,
  orNull,
  Playbook,
  PlaybookReceipt,
  ProjectId,
  rules,
} from '../model/schema.ts'
import { findProject, lockProject, type Project, placeOf } from '../model/store.ts'
import { projects } from '../model/tables.ts'
import { saveGuidanceVersion } from '../model/versions.ts'

const FIELDS = ['working_rules', 'definition_of_done', 'notes', 'model_selected'] as const

export const getPlaybook = operation({
  name: 'projects.get_playbook',
  summary: 'Playbook of a board: working rules, definition of done, notes',
  needs: 'projects:read',
  dependsOn: ['playbook'],
  on: {
    rest: 'GET /api/v1/projects/:project_id/playbook',
    mcp: ['svc_projects.get_playbook', 'svc_projects.playbook'],
    cli: { usage: 'projects playbook <project_id>', example: 'HOM' },
    chat: true,
  },
  input: t.Object({ project_id: ProjectId }),
  output: Playbook,
  run: async ({ project_id }, ctx) => playbookOf(await findProject(ctx, project_id)),
})

const playbookInput = {
  working_rules: t.Optional(rules.working_rules),
  definition_of_done: t.Optional(orNull(rules.definition_of_done)),
  notes: t.Optional(rules.notes),
  model_selected: t.Optional(rules.model_selected),
}
const PlaybookInput = t.Object(playbookInput)

export const setPlaybook = operation({
  name: 'projects.set_playbook',
  summary: 'Update the playbook of a board; omitted fields keep their value, null clears',
  needs: 'projects:instruct',
  destroys: true,
  on: {
    rest: 'PUT /api/v1/projects/:project_id/playbook',
    mcp: 'svc_projects.set_playbook',
    cli: {
      usage: 'projects set-playbook <project_id>',
      example: "HOM --definition-of-done 'Tests pass' --definition-of-done 'Docs agree'",
    },
    chat: true,
  },
  input: t.Object({
    project_id: ProjectId,
    ...playbookInput,
    if_version: t.Optional(
      t.Integer({ minimum: 1, description: 'The version you read; 409 if it has changed' }),
    ),
  }),
  output: PlaybookReceipt,
  async run({ project_id, if_version, ...parts }, ctx) {
    const project = await lockedProject(ctx, project_id)
    const { playbook_version: version } = project
    if (if_version !== undefined && if_version !== version)
      throw fault.conflict(
        `The playbook is at version ${version}, not ${if_version}`,
        { field: 'if_version', value: if_version, current: playbookOf(project), version },
        'Merge your change into the current playbook and send its version',
      )
    return writePlaybook(ctx, project, parts)
  },
})

/** Locks the board, and loads it as it is then. */
export async function lockedProject(ctx: Context, project_id: number): Promise<Project> {
  await lockProject(ctx.tx, await findProject(ctx, project_id))
  return findProject(ctx, project_id)
}

/**
 * Updates the playbook of a locked board and saves the version. `restored` is the number of the
 * version it was restored from.
 */
export async function writePlaybook(
  ctx: Context,
  project: Project,
  parts: Static<typeof PlaybookInput>,
  restored?: number,
) {
  const { project_id, playbook_version: before } = project
  const next = nextPlaybook(project, parts)
  const changed = FIELDS.filter((field) => !Bun.deepEquals(next[field], project[field]))
  if (!changed.length) return { project_id, version: before, changed }
  const version = before + 1
  await ctx.tx
    .update(projects)
    .set({ ...next, playbook_version: version, updated_at: ctx.now })
    .where(eq(projects.project_id, project_id))
  await saveGuidanceVersion(ctx, {
    ...placeOf(project),
    kind: 'playbook' as const,
    version,
    changed,
    content: next,
    before: { content: pick(project, FIELDS), created_at: project.updated_at },
  })
  ctx.emit('playbook.updated', placeOf(project), { version, changed, ...restoredFrom(restored) })
  return { project_id, version, changed }
}

const restoredFrom = (restored: number | undefined) => restored !== undefined && { restored }

type Rules = Pick<Project, (typeof FIELDS)[number]>

/** Omitted fields stay, null clears a field. */
function nextPlaybook(project: Project, input: Static<typeof PlaybookInput>): Rules {
  const valueOr = <T>(value: T | undefined, before: T) => (value === undefined ? before : value)
  return {
    working_rules: valueOr(input.working_rules, project.working_rules),
    definition_of_done: valueOr(input.definition_of_done, project.definition_of_done) ?? [],
    notes: valueOr(input.notes, project.notes),
    model_selected: valueOr(input.model_selected, project.model_selected),
  }
}

const ROUTES = [
  '/api/v1/projects/:project_id/instructions',
  '/api/mcp/projects/:project_id/instructions',
] as const

export const getInstructions = operation({
  name: 'projects.get_instructions',
  summary: 'AI instructions of a board',
  needs: 'projects:read',
  dependsOn: ['instructions'],
  on: {
    rest: [`GET ${ROUTES[0]}`, `GET ${ROUTES[1]}`],
    mcp: 'svc_projects.get_instructions',
    cli: { usage: 'projects instructions <project_id>', example: 'HOM' },
    chat: true,
  },
  input: t.Object({ project_id: ProjectId }),
  output: Instructions,
  async run({ project_id }, ctx) {
    const { custom_instruction } = await findProject(ctx, project_id)
    return { project_id, custom_instruction }
  },
})

export const setInstructions = operation({
  name: 'projects.set_instructions',
  summary: 'Set the AI instructions of a board; null resets them',
  needs: 'projects:instruct',
  destroys: true,
  on: {
    rest: [`PUT ${ROUTES[0]}`, `PUT ${ROUTES[1]}`],
    mcp: 'svc_projects.set_instructions',
    cli: {
      usage: 'projects set-instructions <project_id>',
      example: "HOM --custom-instruction 'Answer in one paragraph'",
    },
    chat: true,
  },
  input: Instructions,
  output: t.Object({ project_id: ProjectId, changed: t.Array(t.String()) }),
  run: async ({ project_id, custom_instruction }, ctx) =>
    writeInstructions(ctx, await lockedProject(ctx, project_id), custom_instruction),
})

/** Updates the instructions of a locked board and saves the version. */
export async function writeInstructions(
  ctx: Context,
  project: Project,
  instructions: string | null,
  restored?: number,
) {
  const { project_id } = project
  const custom_instruction = instructions?.trim() ? instructions : null
  if (custom_instruction === project.custom_instruction) return { project_id, changed: [] }
  await ctx.tx
    .update(projects)
    .set({ custom_instruction, updated_at: ctx.now })
    .where(eq(projects.project_id, project_id))
  const changed = ['custom_instruction']
  const version = await saveGuidanceVersion(ctx, {
    ...placeOf(project),
    kind: 'instructions' as const,
    changed,
    content: { custom_instruction },
    before: { content: pick(project, ['custom_instruction']), created_at: project.updated_at },
  })
  const reset = custom_instruction === null
  const data = { version, reset, ...restoredFrom(restored) }
  ctx.emit('instructions.updated', placeOf(project), data)
  return { project_id, changed }
}
