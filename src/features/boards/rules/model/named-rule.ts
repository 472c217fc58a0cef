import { CUSTOM_FIELD, type NamedRule, type Param } from '../../../../kernel/board-rules.ts'
import type { BoardNames } from './names.ts'
import type { Definition } from './schema.ts'
import { clipText, hostOf } from './sentence.ts'

/** Every change that a rule makes contains it, so it must stay short. */
const MAX_LENGTH = 4000

/** The rule with the names of what it refers to; undefined if that is too long. */
export function namedRule(definition: Definition, names: BoardNames): NamedRule | undefined {
  const { when, conditions, actions } = definition
  const { sections, labels, actors, fields, webhooks } = names
  const refers = referencesIn(definition)
  const rule: NamedRule = {
    when,
    conditions: conditions ?? { groups: [] },
    actions: actions.map((action) =>
      action.text === undefined ? action : { ...action, text: clipText(action.text) },
    ),
    names: {
      sections: named(sections, refers.by('section_id'), ({ title }) => title),
      labels: named(labels, refers.by('label_id'), ({ name }) => name ?? ''),
      actors: named(actors, refers.by('who').union(refers.values), ({ name }) => name),
      webhooks: named(webhooks, refers.by('webhook_id'), hostOf),
      fields: namedFields(fields, refers),
    },
  }
  return JSON.stringify(rule).length > MAX_LENGTH ? undefined : rule
}

type Texts = ReadonlySet<string>

interface References {
  by(param: Param): Texts
  /** The fields of conditions, in lower case. */
  fields: Texts
  /** The values of conditions. */
  values: Texts
}

/** What the rule refers to, as text. */
function referencesIn({ when, conditions, actions }: Definition): References {
  const rules = (conditions?.groups ?? []).flatMap((group) => group.rules)
  const parts: Partial<Record<Param, unknown>>[] = [when, ...actions]
  return {
    by: (param) => new Set(parts.map((part) => String(part[param]))),
    fields: new Set(rules.map(({ field }) => bareName(field.toLowerCase()))),
    values: new Set(rules.flatMap(({ value }) => [value].flat().map(String))),
  }
}

const bareName = (field: string) => field.replace(CUSTOM_FIELD, '')

/** The names of those with these ids, by id. */
function named<T>(
  all: ReadonlyMap<string | number, T>,
  ids: Texts,
  nameOf: (one: T) => string,
): Record<string, string> {
  const used = [...all].filter(([id]) => ids.has(String(id)))
  return Object.fromEntries(used.map(([id, one]) => [id, nameOf(one)]))
}

/** Conditions refer to custom fields by id or by name. */
function namedFields(fields: BoardNames['fields'], refers: References) {
  const ids = new Set([...refers.by('field')].map(bareName))
  const choices = refers.by('value').union(refers.values)
  const used = [...fields.values()].filter(
    ({ field_id, name }) =>
      ids.has(field_id) || refers.fields.has(field_id) || refers.fields.has(name.toLowerCase()),
  )
  return Object.fromEntries(
    used.map(({ field_id, name, type, options }) => {
      const chosen = (options ?? []).filter(({ option_id }) => choices.has(option_id))
      const labels = Object.fromEntries(chosen.map(({ option_id, label }) => [option_id, label]))
      return [field_id, { name, type, options: labels }]
    }),
  )
}
