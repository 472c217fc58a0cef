import { and, eq, exists, inArray, isNotNull, not, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn as Column } from 'drizzle-orm/pg-core'
import type { Context } from '../../../kernel/caller.ts'
import {
  type CustomField,
  customFields,
  type FieldType,
  numberOf,
} from '../../custom_fields/index.ts'
import { folded } from '../../projects/index.ts'
import { taskFields, tasks } from '../tables.ts'
import {
  type Asked,
  anyOf,
  choice,
  days,
  type Facet,
  never,
  type Scalar,
  truth,
  words,
  wrong,
} from './facets.ts'
import { onBoards, type Scope } from './scope.ts'

/** Marks a name as that of a custom field, where a field of every task is called the same. */
const MARK = /^cf:/i

export const isMarked = (name: string) => MARK.test(name)
export const bareName = (name: string) => name.replace(MARK, '').trim()

/** The custom fields of these boards that a name or id stands for; several boards may have one. */
export async function customNamed(ctx: Context, scope: Scope, name: string) {
  const bare = bareName(name)
  return ctx.tx
    .select()
    .from(customFields)
    .where(
      and(
        onBoards(ctx, scope, customFields),
        or(eq(customFields.field_id, bare.toLowerCase()), eq(customFields.folded, folded(bare))),
      ),
    )
    .orderBy(customFields.custom_field_id)
}

/** What to call them, for whoever misspelt one. */
export async function customNames(ctx: Context, scope: Scope): Promise<string[]> {
  const rows = await ctx.tx
    .selectDistinct({ name: customFields.name })
    .from(customFields)
    .where(onBoards(ctx, scope, customFields))
    .orderBy(customFields.name)
    .limit(100)
  return rows.map(({ name }) => name)
}

/** Numbers stand in a column of their own. */
export const valueIn = (type: FieldType): Column =>
  type === 'number' ? taskFields.number : taskFields.text

/** The fields of several boards are asked as if they were one. */
export function custom(asked: Asked, fields: readonly CustomField[]): Facet {
  const facets = fields.map((field) => facetOf(asked, field))
  const has = (name: 'beyond' | 'within' | 'contains') => facets.filter((one) => one[name])
  const [ordered, dated, worded] = [has('beyond'), has('within'), has('contains')]
  return {
    any: async (values) => {
      const conditions: SQL[] = []
      for (const facet of facets) conditions.push(await facet.any!(values))
      return anyOf(conditions)
    },
    empty: and(...facets.map(({ empty }) => empty))!,
    ...(ordered.length && {
      beyond: (way, value) => anyOf(ordered.map((one) => one.beyond!(way, value))),
    }),
    ...(dated.length && { within: (many) => anyOf(dated.map((one) => one.within!(many))) }),
    ...(worded.length && { contains: (text) => anyOf(worded.map((one) => one.contains!(text))) }),
  }
}

/** A facet of the value, asked of the row that a task has for the field. */
function facetOf(asked: Asked, field: CustomField): Facet {
  const held = (condition: SQL) => exists(valuesFor(asked.ctx, field, condition))
  const { any, beyond, within, contains } = ofValue(asked, field)
  return {
    any: async (values) => {
      if (field.type !== 'checkbox') return held(await any!(values))
      // A box that nobody ticked is not ticked.
      const ticked = held(eq(taskFields.text, 'true'))
      return anyOf(values.map((value) => (truth(asked, value) ? ticked : not(ticked))))
    },
    empty: not(held(isNotNull(valueIn(field.type)))),
    ...(beyond && { beyond: (way, value) => held(beyond(way, value)) }),
    ...(within && { within: (many) => held(within(many)) }),
    ...(contains && { contains: (text) => held(contains(text)) }),
  }
}

function valuesFor({ tx }: Context, { custom_field_id }: CustomField, condition: SQL) {
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

function ofValue(asked: Asked, field: CustomField): Facet {
  switch (field.type) {
    case 'number':
      return {
        ...choice(taskFields.number, (given) => numberIn(asked, field, given)),
        beyond: (way, value) => way(taskFields.number, numberIn(asked, field, value)),
      }
    case 'date':
      return days(asked, taskFields.text)
    case 'select':
      return { any: (values) => chosen(asked, field, values) }
    case 'checkbox':
      return {}
    default:
      return words(taskFields.text)
  }
}

function numberIn(asked: Asked, { name }: CustomField, value: Scalar): number {
  const number = numberOf(value)
  if (number !== undefined) return number
  throw wrong(asked, 'invalid_type', `${name} is a number`, value)
}

/** Options by their id or their label. */
function chosen(asked: Asked, { name, options }: CustomField, values: readonly Scalar[]): SQL {
  const wanted = values.flatMap((value) => {
    const same = (options ?? []).filter(
      ({ option_id, label }) => option_id === value || folded(label) === folded(String(value)),
    )
    if (!same.length) {
      const known = (options ?? []).map(({ label }) => label).join(', ')
      const message = `${asked.named}: ${name} has no option "${String(value).slice(0, 100)}"`
      asked.ctx.warn(asked.named, 'not_found', `${message}; it has ${known || 'none'}`)
    }
    return same.map(({ option_id }) => option_id)
  })
  return wanted.length ? inArray(taskFields.text, wanted) : never
}
