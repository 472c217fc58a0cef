import type { NamedRule } from '../../../../kernel/board-rules.ts'
import type { Choice } from '../../../kit/pick-popup.tsx'
import type { Actor } from '../../user/actor.ts'
import { type CustomField, fieldsByName, fieldsOf } from '../condition/fields.tsx'
import { RuleSummary } from './summary.tsx'
import type { BoardChoices, Definition } from './types.ts'

/** A rule in the language of the page, with the names that it had when it acted. */
export default function NamedRuleText({ rule }: { rule: NamedRule }) {
  return <RuleSummary definition={rule as Definition} choices={choicesOf(rule)} />
}

function choicesOf({ names }: NamedRule): BoardChoices {
  const actors = Object.entries(names.actors).map(([id, name]) => actorOf(id, name))
  const fields = Object.entries(names.fields).map(
    ([field_id, { name, type, options }]): CustomField => ({
      ...{ field_id, name, type: type as CustomField['type'] },
      options: Object.entries(options).map(([option_id, label]) => ({ option_id, label })),
    }),
  )
  const board = { labels: [], sections: [] }
  return {
    sections: numbered(names.sections),
    labels: numbered(names.labels),
    webhooks: numbered(names.webhooks),
    people: actors.map(({ user_id, agent_id, name }) => ({ value: agent_id ?? user_id!, name })),
    agents: [],
    fields,
    conditionFields: fieldsByName(fieldsOf({ board, members: actors, customs: fields })),
  }
}

const numbered = (names: Readonly<Record<string, string>>): Choice<number>[] =>
  Object.entries(names).map(([id, name]) => ({ value: Number(id), name }))

/** Agents have a UUID, people a number. */
const actorOf = (id: string, name: string): Actor =>
  /^\d+$/.test(id)
    ? { kind: 'person', user_id: Number(id), name }
    : { kind: 'agent', agent_id: id, name }
