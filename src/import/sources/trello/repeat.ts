import type { Report } from '../../source.ts'
import { addValue, type BoardFields, type FieldValues } from '../shared/board-fields.ts'
import { type Json, stringOf } from '../shared/json.ts'
import { supportedRule } from '../shared/repeat-rules.ts'

/** The rule by which the card repeats. One that Corkboard does not know becomes a custom field. */
export function repeatOf(
  card: Json,
  fields: BoardFields,
  values: FieldValues,
  report: Report,
): string | undefined {
  const { recurrenceRule } = card
  if (recurrenceRule === null || recurrenceRule === undefined || recurrenceRule === '') return
  const text = typeof recurrenceRule === 'string' ? recurrenceRule : JSON.stringify(recurrenceRule)
  const rule = supportedRule(/FREQ=[\w;=,+-]*/.exec(text)?.[0] ?? '')
  if (rule !== undefined) return rule
  addValue(values, fields.field('repeats', 'Repeats', 'text'), text)
  report.lose(`Repeat of "${stringOf(card.name)}"`, 'Corkboard has no such rule; see its field')
}
