import { Type as t } from '@sinclair/typebox'
import {
  actor,
  agentName,
  boardRowLines,
  type Field,
  type Ids,
  moment,
  type Names,
  Positive,
  plain,
  portableRows,
} from '../../../../store/portability/index.ts'
import { BoardFilters } from '../../views/model/index.ts'
import { Action, When } from './schema.ts'
import { rules } from './tables.ts'

/** What follows `event` or `do` differs, and other names stand for ids. */
const open = { additionalProperties: true }
const WhenPart = t.Object({ event: When.properties.event }, open)
const ActionPart = t.Object({ do: Action.properties.do }, open)
type Part = Record<string, unknown>

/** Columns by position, labels by name, people by email, agents by UUID. */
function toFile({ section_id, label_id, who, ...part }: Part, names: Names): Part {
  return {
    ...part,
    ...(section_id !== undefined && {
      section: names.columns.get(section_id as number)?.section ?? null,
    }),
    ...(label_id !== undefined && { label: names.labels.get(label_id as number)?.label ?? null }),
    ...(who !== undefined && { who: whoInFile(who, names) }),
  }
}

const UUID = /^[0-9a-f-]{36}$/

/** Somebody who left the team is in no file; then the action fails, as it did before. */
function whoInFile(who: unknown, names: Names): unknown {
  if (typeof who === 'string') return UUID.test(who) ? agentName(who) : who
  try {
    return names.nameOf(who as number)
  } catch {
    return null
  }
}

function fromFile({ section, label, who, ...part }: Part, ids: Ids): Part {
  return {
    ...part,
    ...(typeof section === 'number' && { section_id: ids.columnOf(section) }),
    ...(typeof label === 'string' && { label_id: ids.labelOf(label) }),
    ...(typeof who === 'string' && { who: whoFromFile(who, ids) }),
  }
}

const AGENT = agentName('')

const whoFromFile = (who: string, ids: Ids) =>
  who.startsWith(AGENT) ? who.slice(AGENT.length) : who.includes('@') ? ids.actorOf(who) : who

const part: Field<typeof WhenPart, When> = {
  type: WhenPart,
  write: (value, names) => toFile(value, names) as When,
  read: (record, ids) => fromFile(record, ids) as When,
}

const Parts = t.Array(ActionPart, { maxItems: 100 })
/** Webhooks are not exported, and so are the actions that send to them. */
const parts: Field<typeof Parts, Action[]> = {
  type: Parts,
  write: (values, names) =>
    values.filter((one) => one.webhook_id === undefined).map((one) => toFile(one, names) as Action),
  read: (records, ids) => records.map((one) => fromFile(one, ids) as Action),
}

export const ruleLines = boardRowLines({
  kind: 'rule',
  what: 'a rule',
  orderBy: [rules.position, rules.rule_row_id],
  rows: portableRows(
    rules,
    {
      position: plain(Positive),
      enabled: plain(t.Boolean()),
      when: part,
      conditions: plain(BoardFilters),
      actions: parts,
      created_by: actor,
      created_at: moment,
      updated_at: moment,
    },
    {
      rule_row_id: 'generated',
      rule_id: 'generated',
      paused_reason: 'the state of one server',
      failures: 'the state of one server',
      last_fired_at: 'the state of one server',
    },
  ),
  more: () => ({
    rule_id: crypto.randomUUID(),
    paused_reason: null,
    failures: 0,
    last_fired_at: null,
  }),
  check({ when, actions }, file) {
    for (const { who } of [when, ...actions] as Part[])
      if (typeof who === 'string' && (who.includes('@') || who.startsWith(AGENT))) file.actor(who)
  },
})
