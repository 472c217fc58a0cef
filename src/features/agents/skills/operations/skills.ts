import { Type as t } from '@sinclair/typebox'
import { and, getTableColumns } from 'drizzle-orm'
import { fault } from '../../../../kernel/fault.ts'
import { listInput, listOf } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { pageOf } from '../../../../store/page.ts'
import { matchesSearch } from '../../../../store/text.ts'
import { ProjectId } from '../../../boards/projects/model/index.ts'
import { type Draft, readInput, slugOf } from '../model/draft.ts'
import {
  FullSkill,
  orNull,
  ownerFields,
  Scope,
  SkillId,
  SkillReceipt,
  SkillRow,
  skillFields,
} from '../model/schema.ts'
import {
  boardFor,
  byUse,
  changeSkill,
  deleteSkill,
  fullSkillRecord,
  insertSkill,
  type Listed,
  locateSkill,
  lockOwner,
  lockSkill,
  ofOwner,
  ownerFor,
  receiptOf,
  scopeOf,
  skillRecords,
  visibleTo,
} from '../model/store.ts'
import { skills } from '../model/tables.ts'

const ROUTE = '/api/v1/skills/:skill_id'
const { body: _, ...withoutBody } = getTableColumns(skills)

/** Skills of a board are instructions for others, so they need a further scope. */
export const forBoards = ({ scope }: { scope?: string }) =>
  scope === 'project' ? ('projects:instruct' as const) : undefined

export const list = operation({
  name: 'skills.list',
  summary: 'Your own skills, or the skills of a board with project_id',
  needs: 'profile:read',
  dependsOn: ['skill'],
  on: {
    rest: ['GET /api/v1/skills', 'GET /api/v1/projects/:project_id/skills'],
    mcp: 'svc_skills.list',
    cli: { usage: 'skills list [project_id]', example: 'HOM --sort lastUsedAt' },
    chat: true,
  },
  input: listInput(
    {
      project_id: t.Optional(
        t.Integer({
          ...ProjectId,
          description: 'Board whose skills to list',
          needs: 'projects:read',
        }),
      ),
    },
    ['title', 'createdAt', 'updatedAt', 'lastUsedAt'],
  ),
  output: listOf(SkillRow),
  async run({ project_id, ...paging }, ctx) {
    const board =
      project_id === undefined ? undefined : await boardFor(ctx, project_id, 'projects:read')
    if (!board && ctx.caller.kind === 'agent')
      ctx.warn('project_id', 'required', 'Agents have no skills of their own; send project_id')
    const { rows, page } = await pageOf(ctx.tx, paging, {
      name: `skills ${board?.project_id ?? 'own'}`,
      from: skills,
      columns: withoutBody,
      where: and(
        ofOwner(ctx, board),
        visibleTo(ctx),
        matchesSearch(paging, [skills.slug, skills.name, skills.description]),
      ),
      sorts: {
        title: { key: skills.slug },
        createdAt: { key: skills.created_at },
        updatedAt: { key: skills.updated_at },
        lastUsedAt: byUse,
      },
      id: 'skill_id',
    })
    return { items: await skillRecords(ctx.tx, rows as Listed[]), page }
  },
})

export const get = operation({
  name: 'skills.get',
  summary: 'A skill with its instructions and the complete file',
  needs: 'profile:read',
  dependsOn: ['skill'],
  on: {
    rest: `GET ${ROUTE}`,
    mcp: 'svc_skills.get',
    cli: { usage: 'skills get <skill_id>', example: '1' },
    chat: true,
  },
  input: t.Object({ skill_id: SkillId }),
  output: FullSkill,
  run: async ({ skill_id }, ctx) =>
    fullSkillRecord(ctx.tx, (await locateSkill(ctx, skill_id)).skill),
})

export const create = operation({
  name: 'skills.create',
  summary: 'Create a skill: instructions that people invoke as /slug',
  needs: 'profile:write',
  creates: true,
  elevatedScope: forBoards,
  destroys: true,
  on: {
    rest: 'POST /api/v1/skills',
    mcp: 'svc_skills.create',
    cli: {
      usage: 'skills create',
      example:
        "--name 'Release notes' --body 'List what changed since the last tag.' --argument-hint '[version]'",
    },
    chat: true,
  },
  input: t.Object({ ...skillFields, ...ownerFields }),
  output: SkillReceipt,
  async run({ scope, project_id, ...input }, ctx) {
    const board = await ownerFor(ctx, { scope, project_id })
    const { given: fields, unknown } = readInput(input)
    for (const key of unknown) ctx.warn('markdown', 'unknown_field', `${key} is not a known key`)
    const draft = completeDraft(fields)
    await lockOwner(ctx, board)
    const skill = await insertSkill(ctx, board, draft)
    return receiptOf(skill, Object.keys(fields))
  },
})

function completeDraft({ name, body, slug, ...fields }: Partial<Draft>): Draft {
  if (name === undefined)
    throw missing('name', 'name is required, or the complete file as markdown')
  if (body === undefined) throw missing('body', 'body is required: the instructions, in markdown')
  const resolvedSlug = slug ?? slugOf(name)
  if (!resolvedSlug)
    throw missing('slug', 'slug is required, because none can be derived from the name')
  return {
    description: '',
    argument_hint: null,
    enabled: true,
    ...fields,
    name,
    body,
    slug: resolvedSlug,
  }
}

const missing = (field: string, message: string) =>
  fault.invalid(
    field,
    'required',
    message,
    undefined,
    'Send name, body and optionally slug and description; or markdown with front matter',
  )

export const update = operation({
  name: 'skills.update',
  summary: 'Change, enable or disable a skill; omitted fields keep their value',
  needs: 'profile:write',
  destroys: true,
  on: {
    rest: `PATCH ${ROUTE}`,
    mcp: 'svc_skills.update',
    cli: { usage: 'skills update <skill_id>', example: '1 --no-enabled' },
    chat: true,
  },
  input: t.Object({ skill_id: SkillId, ...skillFields }),
  output: SkillReceipt,
  async run({ skill_id, ...input }, ctx) {
    const { skill, board } = await lockSkill(ctx, skill_id)
    const { given: fields, unknown } = readInput(input)
    for (const key of unknown) ctx.warn('markdown', 'unknown_field', `${key} is not a known key`)
    const { skill: next, changed } = await changeSkill(ctx, board, skill, fields)
    return receiptOf(next, changed)
  },
})

export const remove = operation({
  name: 'skills.delete',
  summary: 'Delete a skill',
  needs: 'profile:write',
  destroys: true,
  on: {
    rest: `DELETE ${ROUTE}`,
    mcp: 'svc_skills.delete',
    cli: { usage: 'skills delete <skill_id>', example: '1' },
    chat: true,
  },
  input: t.Object({ skill_id: SkillId }),
  output: t.Object({
    skill_id: SkillId,
    scope: Scope,
    project_id: orNull(ProjectId),
    slug: t.String(),
    name: t.String(),
  }),
  async run({ skill_id }, ctx) {
    const { skill, board } = await lockSkill(ctx, skill_id)
    await deleteSkill(ctx, board, skill)
    const { project_id, slug, name } = skill
    return { skill_id, scope: scopeOf(skill), project_id, slug, name }
  },
})
