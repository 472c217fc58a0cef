import { and, asc, count, eq, max } from 'drizzle-orm'
import type { Caller, Context, Scope, Tx } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { forUpdate } from '../../../../store/columns.ts'
import { activePersonFor } from '../../../identity/callers/model/index.ts'
import { actorsOf, asActor } from '../../../identity/people/model/index.ts'
import {
  findProject,
  findVisibleProject,
  type Project,
  placeOf,
} from '../../projects/model/index.ts'
import { namedRule } from './named-rule.ts'
import { type BoardNames, namesOf } from './names.ts'
import { MAX_RULES, type RuleRow } from './schema.ts'
import { sentenceOf } from './sentence.ts'
import { ruleExecutions as executions, rules } from './tables.ts'

export type Rule = typeof rules.$inferSelect

const onBoard = ({ team_id, project_id }: Pick<Project, 'team_id' | 'project_id'>) =>
  and(eq(rules.team_id, team_id), eq(rules.project_id, project_id))

export const rulesOf = (tx: Tx, board: Pick<Project, 'team_id' | 'project_id'>): Promise<Rule[]> =>
  tx.select().from(rules).where(onBoard(board)).orderBy(asc(rules.position), asc(rules.rule_row_id))

export { onBoard }

/** A rule of a board on which the caller has the scope of the operation. */
export async function locateRule(
  ctx: Context,
  rule_id: string,
): Promise<{ rule: Rule; project: Project }> {
  const [rule] = await ctx.tx.select().from(rules).where(eq(rules.rule_id, rule_id.toLowerCase()))
  if (!rule || !(await findVisibleProject(ctx, rule.project_id)))
    throw fault.notFound(
      'rule_id',
      `There is no rule ${rule_id} that you can see`,
      rule_id,
      'List the rules of a board: GET /api/v1/projects/{project_id}/rules',
    )
  return { rule, project: await findProject(ctx, rule.project_id) }
}

export async function checkRoom(tx: Tx, project: Project): Promise<number> {
  const [row] = await tx
    .select({ many: count(), last: max(rules.position) })
    .from(rules)
    .where(onBoard(project))
  if (row!.many >= MAX_RULES)
    throw fault.conflict(
      `A board has at most ${MAX_RULES} rules`,
      { field: 'when' },
      'Delete one that is not needed: DELETE /api/v1/rules/{rule_id}',
    )
  return (row!.last ?? 0) + 1
}

export async function lockRule(tx: Tx, rule_row_id: number): Promise<Rule | undefined> {
  const [rule] = await forUpdate(tx.select().from(rules).where(eq(rules.rule_row_id, rule_row_id)))
  return rule
}

export async function setRule(tx: Tx, rule: Rule, set: Partial<Rule>): Promise<Rule> {
  await tx.update(rules).set(set).where(eq(rules.rule_row_id, rule.rule_row_id))
  return { ...rule, ...set }
}

/** Moves a rule to a position on its board, and numbers all of them again. */
export async function placeRule(tx: Tx, project: Project, rule: Rule, position: number) {
  const others = (await rulesOf(tx, project)).filter((one) => one.rule_row_id !== rule.rule_row_id)
  const ordered = others.toSpliced(position - 1, 0, rule)
  for (const [at, { rule_row_id }] of ordered.entries())
    await tx
      .update(rules)
      .set({ position: at + 1 })
      .where(eq(rules.rule_row_id, rule_row_id))
}

export async function deleteRule(tx: Tx, { rule_row_id }: Rule): Promise<void> {
  await tx.delete(executions).where(eq(executions.rule_row_id, rule_row_id))
  await tx.delete(rules).where(eq(rules.rule_row_id, rule_row_id))
}

/** What a rule may do, at most: it works on the tasks of its board. */
const RULE_SCOPES: readonly Scope[] = ['teams:read', 'projects:read', 'tasks:read', 'tasks:write']

/** The rule as a caller with the rights of its creator; undefined if they lost them. */
export async function ruleCaller(tx: Tx, rule: Rule, depth: number): Promise<Caller | undefined> {
  const person = await activePersonFor(tx, rule.created_by)
  if (!person) return undefined
  const { rule_id, project_id } = rule
  const caller: Caller = {
    ...person,
    scopes: new Set(RULE_SCOPES.filter((scope) => person.scopes.has(scope))),
    projects: new Set([project_id]),
    credential: `rule:${rule_id}:${depth}`,
  }
  const project = await findVisibleProject({ tx, caller }, project_id)
  if (!project || !caller.scopes.has('tasks:write')) return undefined
  const names = await namesOf({ tx }, project)
  const sentence = sentenceOf(rule, names)
  return { ...caller, cause: { rule_id, depth, sentence, definition: namedRule(rule, names) } }
}

export async function toRuleRows(
  ctx: Pick<Context, 'tx'>,
  project: Project,
  rows: readonly Rule[],
  names?: BoardNames,
): Promise<RuleRow[]> {
  if (!rows.length) return []
  const known = names ?? (await namesOf(ctx, project))
  const creators = await actorsOf(
    ctx.tx,
    rows.map(({ created_by }) => created_by),
  )
  return rows.map((row) => ({
    rule_id: row.rule_id,
    project_id: row.project_id,
    position: row.position,
    enabled: row.enabled,
    paused_reason: row.paused_reason,
    sentence: sentenceOf(row, known),
    when: row.when,
    conditions: row.conditions,
    actions: row.actions,
    created_by: asActor(creators.get(row.created_by)!),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    last_fired_at: row.last_fired_at?.toISOString() ?? null,
  }))
}

export const rulePlace = (rule: Rule) => placeOf(rule)
