import { type Static, Type as t } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import type { Context } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { pick } from '../../kernel/list.ts'
import { operation } from '../../kernel/operation.ts'
import { Instructions, orNull, Playbook, PlaybookReceipt, ProjectId, rules } from './schema.ts'
import { findProject, holdProject, type Project, placeOf } from './store.ts'
import { projects } from './tables.ts'
import { keepVersion } from './versions.ts'

const FIELDS = ['working_rules', 'definition_of_done', 'notes', 'model_selected'] as const

export const getPlaybook = operation({
  name: 'projects.get_playbook',
  summary: 'How work is done on a board: rules, definition of done, notes',
  needs: 'projects:read',
  on: {
    rest: 'GET /api/v1/projects/:project_id/playbook',
    mcp: ['svc_projects.get_playbook', 'svc_projects.playbook'],
    cli: 'projects playbook <project_id>',
    chat: true,
  },
  input: t.Object({ project_id: ProjectId }),
  output: Playbook,
  run: async ({ project_id }, ctx) => playbookOf(await findProject(ctx, project_id)),
})

const given = {
  working_rules: t.Optional(rules.working_rules),
  definition_of_done: t.Optional(orNull(rules.definition_of_done)),
  notes: t.Optional(rules.notes),
  model_selected: t.Optional(rules.model_selected),
}
const Given = t.Object(given)

export const setPlaybook = operation({
  name: 'projects.set_playbook',
  summary: 'Replace the given parts of the playbook; null clears one',
  needs: 'projects:instruct',
  destroys: true,
  on: {
    rest: 'PUT /api/v1/projects/:project_id/playbook',
    mcp: 'svc_projects.set_playbook',
    cli: 'projects set-playbook <project_id>',
    chat: true,
  },
  input: t.Object({
    project_id: ProjectId,
    ...given,
    if_version: t.Optional(
      t.Integer({ minimum: 1, description: 'Refused when the playbook has another version' }),
    ),
  }),
  output: PlaybookReceipt,
  async run({ project_id, if_version, ...parts }, ctx) {
    const project = await heldProject(ctx, project_id)
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

/** The board as it is once nobody else can change it. */
export async function heldProject(ctx: Context, project_id: number): Promise<Project> {
  await holdProject(ctx.tx, await findProject(ctx, project_id))
  return findProject(ctx, project_id)
}

/** Changes the playbook of a held board and keeps the version; `restored` is the older one's number. */
export async function writePlaybook(
  ctx: Context,
  project: Project,
  parts: Static<typeof Given>,
  restored?: number,
) {
  const { project_id, playbook_version: before } = project
  const next = revised(project, parts)
  const changed = FIELDS.filter((field) => !Bun.deepEquals(next[field], project[field]))
  if (!changed.length) return { project_id, version: before, changed }
  const version = before + 1
  await ctx.tx
    .update(projects)
    .set({ ...next, playbook_version: version, updated_at: ctx.now })
    .where(eq(projects.project_id, project_id))
  await keepVersion(ctx, {
    ...{ ...placeOf(project), kind: 'playbook' as const, version, changed, content: next },
    before: { content: pick(project, FIELDS), created_at: project.updated_at },
  })
  ctx.emit('playbook.updated', placeOf(project), { version, changed, ...restoredFrom(restored) })
  return { project_id, version, changed }
}

const restoredFrom = (restored: number | undefined) => restored !== undefined && { restored }

type Rules = Pick<Project, (typeof FIELDS)[number]>

/** What is left out stays, what is null is cleared. */
function revised(project: Project, input: Static<typeof Given>): Rules {
  const kept = <T>(given: T | undefined, before: T) => (given === undefined ? before : given)
  return {
    working_rules: kept(input.working_rules, project.working_rules),
    definition_of_done: kept(input.definition_of_done, project.definition_of_done) ?? [],
    notes: kept(input.notes, project.notes),
    model_selected: kept(input.model_selected, project.model_selected),
  }
}

const playbookOf = (project: Project): Playbook => ({
  project_id: project.project_id,
  working_rules: project.working_rules,
  definition_of_done: project.definition_of_done,
  notes: project.notes,
  model_selected: project.model_selected,
  version: project.playbook_version,
})

/** So long is each text told where it comes along; whoever wants all of it asks for it. */
const ALONG = 4000

/** The rules of a board for whoever works on it; told to those who may read boards. */
export function guidanceOf({ caller }: Pick<Context, 'caller'>, project: Project) {
  if (!caller.scopes.has('projects:read')) return { playbook: null, custom_instruction: null }
  const { working_rules, notes, definition_of_done, ...rest } = playbookOf(project)
  const all = 'svc_projects get_playbook'
  return {
    playbook: {
      ...rest,
      working_rules: beginning(working_rules, all),
      notes: beginning(notes, all),
      definition_of_done: firstOf(definition_of_done, all),
    },
    custom_instruction: beginning(project.custom_instruction, 'svc_projects get_instructions'),
  }
}

function beginning(text: string | null, all: string): string | null {
  if (text === null || text.length <= ALONG) return text
  const rest = (text.length - ALONG).toLocaleString('en')
  return `${text.slice(0, ALONG).toWellFormed()}… (${rest} more characters: ${all})`
}

function firstOf(lines: readonly string[], all: string): string[] {
  let room = ALONG
  const cut = lines.findIndex((line) => {
    room -= line.length
    return room < 0
  })
  return cut < 0 ? [...lines] : [...lines.slice(0, cut), `… (${lines.length - cut} more: ${all})`]
}

const ADDRESSES = [
  '/api/v1/projects/:project_id/instructions',
  '/api/mcp/projects/:project_id/instructions',
] as const

export const getInstructions = operation({
  name: 'projects.get_instructions',
  summary: "The board's own instructions for AI",
  needs: 'projects:read',
  on: {
    rest: [`GET ${ADDRESSES[0]}`, `GET ${ADDRESSES[1]}`],
    mcp: 'svc_projects.get_instructions',
    cli: 'projects instructions <project_id>',
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
  summary: "Write the board's own instructions for AI; null resets them",
  needs: 'projects:instruct',
  destroys: true,
  on: {
    rest: [`PUT ${ADDRESSES[0]}`, `PUT ${ADDRESSES[1]}`],
    mcp: 'svc_projects.set_instructions',
    cli: 'projects set-instructions <project_id>',
    chat: true,
  },
  input: Instructions,
  output: t.Object({ project_id: ProjectId, changed: t.Array(t.String()) }),
  run: async ({ project_id, custom_instruction }, ctx) =>
    writeInstructions(ctx, await heldProject(ctx, project_id), custom_instruction),
})

/** Changes the instructions of a held board and keeps the version. */
export async function writeInstructions(
  ctx: Context,
  project: Project,
  given: string | null,
  restored?: number,
) {
  const { project_id } = project
  const custom_instruction = given?.trim() ? given : null
  if (custom_instruction === project.custom_instruction) return { project_id, changed: [] }
  await ctx.tx
    .update(projects)
    .set({ custom_instruction, updated_at: ctx.now })
    .where(eq(projects.project_id, project_id))
  const changed = ['custom_instruction']
  const version = await keepVersion(ctx, {
    ...{ ...placeOf(project), kind: 'instructions' as const, changed },
    content: { custom_instruction },
    before: { content: pick(project, ['custom_instruction']), created_at: project.updated_at },
  })
  const reset = custom_instruction === null
  const told = { version, reset, ...restoredFrom(restored) }
  ctx.emit('instructions.updated', placeOf(project), told)
  return { project_id, changed }
}
