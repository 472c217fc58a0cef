import {
  ACTIONS,
  CUSTOM_FIELD,
  PARAMS,
  type Param,
  PLACEHOLDERS,
  placeholdersIn,
  ROLES_OF_TASK,
  SET_FIELDS,
  TRIGGERS,
  WATCHED_FIELDS,
} from '../../../../kernel/board-rules.ts'
import type { Context } from '../../../../kernel/caller.ts'
import { type FieldCode, fault } from '../../../../kernel/fault.ts'
import { actorCandidates, resolveActor } from '../../../identity/members/model/index.ts'
import type { Project } from '../../projects/model/index.ts'
import { checkFilters } from '../../views/model/index.ts'
import { actorRef, type BoardNames, namesOf } from './names.ts'
import type { Action, Definition, When } from './schema.ts'

interface Checking {
  ctx: Context
  project: Project
  names: BoardNames
  /** The path of the trigger or action in the input. */
  path: string
}

type Values = Partial<Record<Param, unknown>>

/** Checks a rule against its board. Returns it with people and agents by id. */
export async function checkDefinition(
  ctx: Context,
  project: Project,
  { when, conditions, actions }: Definition,
): Promise<{ definition: Required<Definition> & { conditions: object }; names: BoardNames }> {
  const names = await namesOf(ctx, project)
  const checking = (path: string): Checking => ({ ctx, project, names, path })
  const checkedActions: Action[] = []
  const checkedWhen = (await checkPart(checking('when'), TRIGGERS[when.event], when)) as When
  for (const [at, action] of actions.entries())
    checkedActions.push(
      (await checkPart(checking(`actions.${at}`), ACTIONS[action.do], action)) as Action,
    )
  checkFields(checking('when'), when, WATCHED_FIELDS)
  for (const [at, action] of actions.entries()) checkAction(checking(`actions.${at}`), action)
  const filters = conditions ?? { groups: [] }
  const scope = { teams: [project.team_id], project_id: project.project_id }
  await checkFilters(ctx, scope, filters).catch((error) => {
    throw renamed(error)
  })
  return { definition: { when: checkedWhen, conditions: filters, actions: checkedActions }, names }
}

/** Filters name their field as views do. */
function renamed(error: unknown): unknown {
  const { details } = error as { details?: { field?: unknown } }
  if (typeof details?.field === 'string')
    details.field = details.field.replace(/^board_filters/, 'conditions')
  return error
}

interface Part {
  needs: readonly Param[]
  takes: readonly Param[]
}

async function checkPart(
  checking: Checking,
  { needs, takes }: Part,
  values: When | Action,
): Promise<When | Action> {
  const given = values as Values
  for (const name of PARAMS) {
    if (needs.includes(name) && given[name] === undefined)
      throw invalid(checking, name, 'required', `${name} is required here`)
    if (given[name] !== undefined && !needs.includes(name) && !takes.includes(name))
      throw invalid(checking, name, 'unknown_field', `${name} has no meaning here`, given[name])
  }
  checkReferences(checking, given)
  if (given.who === undefined) return values
  return { ...values, who: await resolveWho(checking, values as Action) }
}

function checkReferences(checking: Checking, given: Values): void {
  const { sections, labels, webhooks } = checking.names
  const known = { section_id: sections, label_id: labels, webhook_id: webhooks } as const
  for (const name of ['section_id', 'label_id', 'webhook_id'] as const) {
    const id = given[name] as number | undefined
    if (id !== undefined && !known[name].has(id))
      throw invalid(checking, name, 'not_found', `This board has no ${name} ${id}`, id)
  }
}

async function resolveWho({ ctx, project, path }: Checking, { do: deed, who }: Action) {
  if (deed === 'notify' && ROLES_OF_TASK.some((role) => role === who)) return who
  const candidates = await actorCandidates(ctx, project)
  const actor = resolveActor(ctx, candidates, String(who), `${path}.who`)
  if (deed === 'call_agent' && actor.kind !== 'agent')
    throw fault.invalid(
      `${path}.who`,
      'invalid_type',
      `${actor.name} is not an agent`,
      who,
      'To reach a person, use notify or comment',
    )
  return actorRef(actor)
}

function checkFields(checking: Checking, { field }: Values, known: readonly string[]): void {
  if (typeof field !== 'string' || known.includes(field)) return
  const isCustom =
    field.startsWith(CUSTOM_FIELD) && checking.names.fields.has(field.slice(CUSTOM_FIELD.length))
  if (isCustom) return
  throw invalid(
    checking,
    'field',
    'unknown_field',
    `There is no field ${field}; known are ${known.join(', ')}, and cf: with a field_id`,
    field,
  )
}

function checkAction(checking: Checking, action: Action): void {
  checkFields(checking, action, SET_FIELDS)
  checkTexts(checking, action)
  if (action.do !== 'set_field') return
  const { field = '', value, days } = action
  if ((value === undefined) === (days === undefined))
    throw invalid(checking, 'value', 'required', 'Give either value or days', value)
  const { fields } = checking.names
  const isDate =
    field.endsWith('_date') || fields.get(field.slice(CUSTOM_FIELD.length))?.type === 'date'
  if (days !== undefined && !isDate)
    throw invalid(checking, 'days', 'invalid_type', 'Only dates can be set to days from now', days)
}

function checkTexts(checking: Checking, action: Action): void {
  for (const name of ['title', 'text'] as const) {
    const unknown = placeholdersIn(action[name] ?? '').find(
      (one) => !PLACEHOLDERS.some((known) => known === one),
    )
    if (unknown)
      throw invalid(
        checking,
        name,
        'unknown_field',
        `There is no placeholder ${unknown}; known are ${PLACEHOLDERS.join(', ')}`,
        unknown,
      )
  }
}

const invalid = (
  { path }: Checking,
  name: Param,
  code: FieldCode,
  message: string,
  value?: unknown,
) => fault.invalid(`${path}.${name}`, code, message, value)
