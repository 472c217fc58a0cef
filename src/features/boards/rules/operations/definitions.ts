import { Type as t } from '@sinclair/typebox'
import { getTableColumns } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { listInput, listOf } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { pageOf } from '../../../../store/page.ts'
import { findProject, lockProject, ProjectId } from '../../projects/model/index.ts'
import { checkDefinition } from '../model/check.ts'
import { namesOf } from '../model/names.ts'
import { type Action, definition, MAX_RULES, RuleId, RuleRow } from '../model/schema.ts'
import { sentenceOf } from '../model/sentence.ts'
import {
  checkRoom,
  deleteRule,
  locateRule,
  onBoard,
  placeRule,
  type Rule,
  rulePlace,
  setRule,
  toRuleRows,
} from '../model/store.ts'
import { rules } from '../model/tables.ts'

const ROUTE = '/api/v1/rules/:rule_id'

export const list = operation({
  name: 'rules.list',
  summary: 'Rules of a board, as sentences, in their order',
  needs: 'projects:read',
  dependsOn: ['rule', 'section', 'label', 'custom_field', 'board_webhook'],
  on: {
    rest: 'GET /api/v1/projects/:project_id/rules',
    mcp: 'svc_projects.rules',
    cli: { usage: 'rules list <project_id>', example: 'HOM' },
    chat: true,
  },
  input: listInput({ project_id: ProjectId }, ['createdAt']),
  output: listOf(RuleRow),
  async run(input, ctx) {
    const project = await findProject(ctx, input.project_id)
    const { rows, page } = await pageOf(ctx.tx, input, {
      name: 'rules',
      from: rules,
      columns: getTableColumns(rules),
      where: onBoard(project),
      manualSort: { key: rules.position },
      sorts: { createdAt: { key: rules.created_at } },
      id: 'rule_row_id',
    })
    return { items: await toRuleRows(ctx, project, rows as Rule[]), page }
  },
})

export const get = operation({
  name: 'rules.get',
  summary: 'A rule of a board: what starts it, its conditions and its actions',
  needs: 'projects:read',
  dependsOn: ['rule', 'section', 'label', 'custom_field', 'board_webhook'],
  on: {
    rest: `GET ${ROUTE}`,
    mcp: 'svc_projects.get_rule',
    cli: { usage: 'rules get <rule_id>', example: 'RULE_ID' },
    chat: true,
  },
  input: t.Object({ rule_id: RuleId }),
  output: t.Object(RuleRow.properties),
  async run({ rule_id }, ctx) {
    const { rule, project } = await locateRule(ctx, rule_id)
    return (await toRuleRows(ctx, project, [rule]))[0]!
  },
})

export const create = operation({
  name: 'rules.create',
  summary: 'Add a rule to a board; it acts with your rights; people only',
  needs: 'projects:manage',
  creates: true,
  destroys: reachesFurther,
  on: {
    rest: 'POST /api/v1/projects/:project_id/rules',
    mcp: 'svc_projects.create_rule',
    cli: {
      usage: 'rules create <project_id>',
      example:
        'HOM --when \'{"event": "task_completed"}\' --actions \'[{"do": "comment", "text": "Done: {{task.title}}"}]\'',
    },
    chat: true,
  },
  input: t.Object({
    project_id: ProjectId,
    ...definition,
    enabled: t.Optional(t.Boolean({ description: 'Default true' })),
  }),
  output: t.Object(RuleRow.properties),
  async run({ project_id, enabled = true, ...input }, ctx) {
    peopleOnly(ctx)
    const project = await findProject(ctx, project_id)
    await lockProject(ctx.tx, project)
    const position = await checkRoom(ctx.tx, project)
    const { definition: checked, names } = await checkDefinition(ctx, project, input)
    const [rule] = await ctx.tx
      .insert(rules)
      .values({
        rule_id: crypto.randomUUID(),
        team_id: project.team_id,
        project_id,
        created_by: ctx.caller.actor_id,
        ...{ position, enabled, paused_reason: null, failures: 0, last_fired_at: null },
        when: checked.when,
        conditions: checked.conditions,
        actions: checked.actions,
        created_at: ctx.now,
        updated_at: ctx.now,
      } as Omit<Rule, 'rule_row_id'>)
      .returning()
    return emitted(ctx, 'created', rule!, (await toRuleRows(ctx, project, [rule!], names))[0]!)
  },
})

export const update = operation({
  name: 'rules.update',
  summary: 'Change, enable, disable or move a rule; then it acts with your rights',
  needs: 'projects:manage',
  destroys: reachesFurther,
  on: {
    rest: `PATCH ${ROUTE}`,
    mcp: 'svc_projects.update_rule',
    cli: { usage: 'rules update <rule_id>', example: 'RULE_ID --no-enabled' },
    chat: true,
  },
  input: t.Object({
    rule_id: RuleId,
    when: t.Optional(definition.when),
    conditions: definition.conditions,
    actions: t.Optional(definition.actions),
    enabled: t.Optional(t.Boolean()),
    position: t.Optional(
      t.Integer({ minimum: 1, maximum: MAX_RULES, description: 'Order on the board, from 1' }),
    ),
  }),
  output: t.Object(RuleRow.properties),
  async run({ rule_id, position, enabled, ...input }, ctx) {
    peopleOnly(ctx)
    const { rule: before, project } = await locateRule(ctx, rule_id)
    await lockProject(ctx.tx, project)
    const isRedefined = Object.values(input).some((value) => value !== undefined)
    const set: Partial<Rule> = isRedefined ? await redefined(ctx, project, before, input) : {}
    if (enabled !== undefined) Object.assign(set, { enabled, paused_reason: null, failures: 0 })
    // The person who changes or enables a rule lends it their own rights, not those of its creator.
    if (isRedefined || enabled === true) set.created_by = ctx.caller.actor_id
    const rule = await setRule(ctx.tx, before, { ...set, updated_at: ctx.now })
    if (position !== undefined) await placeRule(ctx.tx, project, rule, position)
    const [row] = await toRuleRows(ctx, project, [(await locateRule(ctx, rule_id)).rule])
    return emitted(ctx, 'updated', rule, row!)
  },
})

async function redefined(
  ctx: Context,
  project: Parameters<typeof checkDefinition>[1],
  before: Rule,
  input: Partial<Parameters<typeof checkDefinition>[2]>,
): Promise<Partial<Rule>> {
  const { when, conditions, actions } = before
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
  const next = { when, conditions, actions, ...given }
  const { definition: checked } = await checkDefinition(ctx, project, next)
  return { ...checked, failures: 0 } as Partial<Rule>
}

export const remove = operation({
  name: 'rules.delete',
  summary: 'Delete a rule with its log',
  needs: 'projects:manage',
  destroys: true,
  on: {
    rest: `DELETE ${ROUTE}`,
    mcp: 'svc_projects.delete_rule',
    cli: { usage: 'rules delete <rule_id>', example: 'RULE_ID' },
    chat: true,
  },
  input: t.Object({ rule_id: RuleId }),
  output: t.Object({ rule_id: RuleId, deleted: t.Literal(true) }),
  async run({ rule_id }, ctx) {
    const { rule, project } = await locateRule(ctx, rule_id)
    const sentence = sentenceOf(rule, await namesOf(ctx, project))
    await deleteRule(ctx.tx, rule)
    ctx.emit('rule.deleted', rulePlace(rule), { rule_id: rule.rule_id, sentence })
    return { rule_id: rule.rule_id, deleted: true as const }
  },
})

function emitted(ctx: Context, verb: 'created' | 'updated', rule: Rule, row: RuleRow): RuleRow {
  const { rule_id, sentence, enabled } = row
  ctx.emit(`rule.${verb}`, rulePlace(rule), { rule_id, sentence, enabled })
  return row
}

/** Whether a rule would send tasks to another host or give texts to agents from now on. */
function reachesFurther({ actions }: { actions?: readonly Action[] }): boolean {
  return actions?.some((one) => one.do === 'send_webhook' || one.do === 'call_agent') === true
}

/** A rule acts with the rights of a person, which an agent may not lend. */
function peopleOnly({ caller }: Context): void {
  if (caller.kind === 'agent')
    throw fault.forbidden(
      'Only people can create and change rules, because a rule acts with their rights',
      'Ask a person who manages the board',
    )
  if (caller.cause) throw fault.forbidden('A rule cannot change rules')
}
