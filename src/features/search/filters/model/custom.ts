import { and, eq, exists, inArray, isNotNull, not, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn as Column } from 'drizzle-orm/pg-core'
import type { Context } from '../../../../kernel/caller.ts'
import {
  type CustomField,
  customFields,
  type FieldType,
  parseNumber,
  taskFields,
} from '../../../boards/custom_fields/model/index.ts'
import { foldName } from '../../../boards/projects/model/index.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'
import {
  anyOf,
  choiceFacet,
  dayFacet,
  type Facet,
  type FilterContext,
  invalidFilter,
  never,
  type Scalar,
  textFacet,
  toBoolean,
} from './facets.ts'
import { onBoards, type Scope } from './scope.ts'

/** The prefix of custom field names, for custom fields that are named like a built-in one. */
const PREFIX = /^cf:/i

export const hasPrefix = (name: string) => PREFIX.test(name)
export const bareName = (name: string) => name.replace(PREFIX, '').trim()

/** The custom fields in scope with this name or id; several boards may have one. */
export async function findCustomFields(ctx: Context, scope: Scope, name: string) {
  const bare = bareName(name)
  return ctx.tx
    .select()
    .from(customFields)
    .where(
      and(
        onBoards(ctx, scope, customFields),
        or(eq(customFields.field_id, bare.toLowerCase()), eq(customFields.folded, foldName(bare))),
      ),
    )
    .orderBy(customFields.custom_field_id)
}

/** The names of the custom fields in scope, for suggestions. */
export async function customFieldNames(ctx: Context, scope: Scope): Promise<string[]> {
  const rows = await ctx.tx
    .selectDistinct({ name: customFields.name })
    .from(customFields)
    .where(onBoards(ctx, scope, customFields))
    .orderBy(customFields.name)
    .limit(100)
  return rows.map(({ name }) => name)
}

/** Numbers have their own column. */
export const valueIn = (type: FieldType): Column =>
  type === 'number' ? taskFields.number : taskFields.text

/** Combines fields of the same name on several boards into one. */
export function customFieldFacet(request: FilterContext, fields: readonly CustomField[]): Facet {
  const facets = fields.map((field) => facetOf(request, field))
  const supporting = (name: 'beyond' | 'within' | 'contains') =>
    facets.filter((facet) => facet[name])
  const [ordered, dated, worded] = [
    supporting('beyond'),
    supporting('within'),
    supporting('contains'),
  ]
  return {
    any: async (values) => {
      const conditions: SQL[] = []
      for (const facet of facets) conditions.push(await facet.any!(values))
      return anyOf(conditions)
    },
    empty: and(...facets.map(({ empty }) => empty))!,
    ...(ordered.length && {
      beyond: (comparison, value) => anyOf(ordered.map((one) => one.beyond!(comparison, value))),
    }),
    ...(dated.length && { within: (days) => anyOf(dated.map((one) => one.within!(days))) }),
    ...(worded.length && { contains: (text) => anyOf(worded.map((one) => one.contains!(text))) }),
  }
}

/** Applies the facet of the value to the stored row of the field. */
function facetOf(request: FilterContext, field: CustomField): Facet {
  const hasValue = (condition: SQL) => exists(fieldValues(request.ctx, field, condition))
  const { any, beyond, within, contains } = valueFacet(request, field)
  return {
    any: async (values) => {
      if (field.type !== 'checkbox') return hasValue(await any!(values))
      // A checkbox without a stored value counts as false.
      const ticked = hasValue(eq(taskFields.text, 'true'))
      return anyOf(values.map((value) => (toBoolean(request, value) ? ticked : not(ticked))))
    },
    empty: not(hasValue(isNotNull(valueIn(field.type)))),
    ...(beyond && { beyond: (comparison, value) => hasValue(beyond(comparison, value)) }),
    ...(within && { within: (days) => hasValue(within(days)) }),
    ...(contains && { contains: (text) => hasValue(contains(text)) }),
  }
}

function fieldValues({ tx }: Context, { custom_field_id }: CustomField, condition: SQL) {
  return tx
    .select({ one: sql`1` })
    .from(taskFields)
    .where(
      and(
        eq(taskFields.team_id, tasks.team_id),
        eq(taskFields.task_id, tasks.task_id),
        eq(taskFields.custom_field_id, custom_field_id),
        condition,
      ),
    )
}

function valueFacet(request: FilterContext, field: CustomField): Facet {
  switch (field.type) {
    case 'number':
      return {
        ...choiceFacet(taskFields.number, (value) => toNumber(request, field, value)),
        beyond: (comparison, value) =>
          comparison(taskFields.number, toNumber(request, field, value)),
      }
    case 'date':
      return dayFacet(request, taskFields.text)
    case 'select':
      return { any: (values) => optionCondition(request, field, values) }
    case 'checkbox':
      return {}
    default:
      return textFacet(taskFields.text)
  }
}

function toNumber(request: FilterContext, { name }: CustomField, value: Scalar): number {
  const number = parseNumber(value)
  if (number !== undefined) return number
  throw invalidFilter(request, 'invalid_type', `${name} is a number`, value)
}

/** Matches options by id or label. */
function optionCondition(
  request: FilterContext,
  { name, options }: CustomField,
  values: readonly Scalar[],
): SQL {
  const optionIds = values.flatMap((value) => {
    const matches = (options ?? []).filter(
      ({ option_id, label }) => option_id === value || foldName(label) === foldName(String(value)),
    )
    if (!matches.length) {
      const known = (options ?? []).map(({ label }) => label).join(', ')
      const message = `${request.named}: ${name} has no option "${String(value).slice(0, 100)}"`
      request.ctx.warn(request.named, 'not_found', `${message}; options: ${known || 'none'}`)
    }
    return matches.map(({ option_id }) => option_id)
  })
  return optionIds.length ? inArray(taskFields.text, optionIds) : never
}
