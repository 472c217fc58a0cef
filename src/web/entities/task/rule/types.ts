import type { Input, Output } from '../../../data/client.ts'
import type { Choice } from '../../../kit/pick-popup.tsx'
import type { CustomField, Field } from '../condition/fields.tsx'

export type Rule = Output<'rules.list'>['items'][number]
export type Definition = Pick<Input<'rules.create'>, 'when' | 'actions'> & {
  conditions: Rule['conditions']
}
export type When = Definition['when']
export type Action = Definition['actions'][number]
export type Conditions = Rule['conditions']

/** What the rules of a board can refer to, as choices of pickers. */
export interface BoardChoices {
  sections: Choice<number>[]
  labels: Choice<number>[]
  people: Choice<string | number>[]
  agents: Choice<string | number>[]
  fields: readonly CustomField[]
  webhooks: Choice<number>[]
  /** What conditions can test. */
  conditionFields: ReadonlyMap<string, Field>
}
