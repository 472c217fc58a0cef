import { Type as t } from '@sinclair/typebox'
import { and, getTableColumns } from 'drizzle-orm'
import { fault } from '../../kernel/fault.ts'
import { listing, listOf } from '../../kernel/list.ts'
import { operation } from '../../kernel/operation.ts'
import { pageOf } from '../../store/page.ts'
import { matching } from '../../store/text.ts'
import { ProjectId } from '../projects/index.ts'
import { type Draft, readSaid, slugOf } from './draft.ts'
import {
  orNull,
  Scope,
  SkillId,
  SkillReceipt,
  SkillRow,
  said,
  WholeSkill,
  whose,
} from './schema.ts'
import {
  boardFor,
  byUse,
  changeSkill,
  deleteSkill,
  heldSkill,
  holdOwner,
  insertSkill,
  type Listed,
  locateSkill,
  ofOwner,
  ownerFor,
  receiptOf,
  scopeOf,
  shownSkills,
  shownTo,
  shownWhole,
} from './store.ts'
import { skills } from './tables.ts'

const ROUTE = '/api/v1/skills/:skill_id'
const { body: _, ...withoutBody } = getTableColumns(skills)

/** The skills of a board instruct whoever works there. */
export const forBoards = ({ scope }: { scope?: string }) =>
  scope === 'project' ? ('projects:instruct' as const) : undefined

export const list = operation({
  name: 'skills.list',
  summary: 'Your own skills, or with project_id those of a board',
  needs: 'profile:read',
  on: {
    rest: ['GET /api/v1/skills', 'GET /api/v1/projects/:project_id/skills'],
    mcp: 'svc_skills.list',
    cli: 'skills list [project_id]',
    chat: true,
  },
  input: listing(
    {
      project_id: t.Optional(
        t.Integer({ ...ProjectId, description: 'Of this board', needs: 'projects:read' }),
      ),
    },
    ['title', 'createdAt', 'updatedAt', 'lastUsedAt'],
  ),
  output: listOf(SkillRow),
  async run({ project_id, ...paging }, ctx) {
    const board =
      project_id === undefined ? undefined : await boardFor(ctx, project_id, 'projects:read')
    if (!board && ctx.caller.kind === 'agent')
      ctx.warn('project_id', 'required', 'An agent has no skills of its own: name a board')
    const { rows, page } = await pageOf(ctx.tx, paging, {
      name: `skills ${board?.project_id ?? 'own'}`,
      from: skills,
      columns: withoutBody,
      where: and(
        ofOwner(ctx, board),
        shownTo(ctx),
        matching(paging, [skills.slug, skills.name, skills.description]),
      ),
      sorts: {
        title: { key: skills.slug },
        createdAt: { key: skills.created_at },
        updatedAt: { key: skills.updated_at },
        lastUsedAt: byUse,
      },
      id: 'skill_id',
    })
    return { items: await shownSkills(ctx.tx, rows as Listed[]), page }
  },
})

export const get = operation({
  name: 'skills.get',
  summary: 'One skill: its instructions, and the complete file',
  needs: 'profile:read',
  on: { rest: `GET ${ROUTE}`, mcp: 'svc_skills.get', cli: 'skills get <skill_id>', chat: true },
  input: t.Object({ skill_id: SkillId }),
  output: WholeSkill,
  run: async ({ skill_id }, ctx) => shownWhole(ctx.tx, (await locateSkill(ctx, skill_id)).skill),
})

export const create = operation({
  name: 'skills.create',
  summary: 'Make a skill: instructions that people call as /slug',
  needs: 'profile:write',
  beyond: forBoards,
  destroys: true,
  on: { rest: 'POST /api/v1/skills', mcp: 'svc_skills.create', cli: 'skills create', chat: true },
  input: t.Object({ ...said, ...whose }),
  output: SkillReceipt,
  async run({ scope, project_id, ...asked }, ctx) {
    const board = await ownerFor(ctx, { scope, project_id })
    const { given, unknown } = readSaid(asked)
    for (const key of unknown) ctx.warn('markdown', 'unknown_field', `${key} means nothing here`)
    const draft = wholeOf(given)
    await holdOwner(ctx, board)
    const skill = await insertSkill(ctx, board, draft)
    return receiptOf(skill, Object.keys(given))
  },
})

function wholeOf({ name, body, slug, ...given }: Partial<Draft>): Draft {
  if (name === undefined) throw missing('name', 'A skill needs a name, or the file as markdown')
  if (body === undefined)
    throw missing('body', 'A skill needs a body: the instructions, in markdown')
  const made = slug ?? slugOf(name)
  if (!made) throw missing('slug', 'No slug can be made from this name, so it has to be said')
  return { description: '', argument_hint: null, enabled: true, ...given, name, body, slug: made }
}

const missing = (field: string, message: string) =>
  fault.invalid(
    field,
    'required',
    message,
    undefined,
    'Send name, body and, if you like, slug and description; or markdown, with front matter',
  )

export const update = operation({
  name: 'skills.update',
  summary: 'Change a skill, or switch it off; what is left out stays',
  needs: 'profile:write',
  destroys: true,
  on: {
    rest: `PATCH ${ROUTE}`,
    mcp: 'svc_skills.update',
    cli: 'skills update <skill_id>',
    chat: true,
  },
  input: t.Object({ skill_id: SkillId, ...said }),
  output: SkillReceipt,
  async run({ skill_id, ...asked }, ctx) {
    const { skill, board } = await heldSkill(ctx, skill_id)
    const { given, unknown } = readSaid(asked)
    for (const key of unknown) ctx.warn('markdown', 'unknown_field', `${key} means nothing here`)
    const { skill: next, changed } = await changeSkill(ctx, board, skill, given)
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
    cli: 'skills delete <skill_id>',
    chat: true,
  },
  input: t.Object({ skill_id: SkillId }),
  output: t.Object({
    ...{ skill_id: SkillId, scope: Scope, project_id: orNull(ProjectId) },
    ...{ slug: t.String(), name: t.String() },
  }),
  async run({ skill_id }, ctx) {
    const { skill, board } = await heldSkill(ctx, skill_id)
    await deleteSkill(ctx, board, skill)
    const { project_id, slug, name } = skill
    return { skill_id, scope: scopeOf(skill), project_id, slug, name }
  },
})
