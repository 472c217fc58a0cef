import { Icon } from '../parts/icon.tsx'
import type { Draft } from './draft.ts'
import { type Field, type Groups, newRule } from './fields.ts'
import { RuleLine } from './rule.tsx'

const MOST_GROUPS = 10
const MOST_RULES = 20

interface Props {
  draft: Draft
  fields: ReadonlyMap<string, Field>
  put(some: Partial<Draft>): void
}

/** Rules in groups; of the rules of a group, and of the groups, all or any must fit. */
export function GroupsPart({ draft: { groups, match }, fields, put }: Props) {
  const [first] = fields.values()
  const set = (next: Groups) => put({ groups: next })
  const add = () => first && set([...groups, { match: 'ALL', rules: [newRule(first)] }])
  return (
    <fieldset>
      <legend>Which tasks</legend>
      {groups.length > 1 && (
        <label className="match">
          Tasks that fit
          <select
            className="field"
            value={match}
            onChange={({ target }) => put({ match: target.value as Draft['match'] })}
          >
            <option value="ALL">all groups</option>
            <option value="ANY">any group</option>
          </select>
        </label>
      )}
      {groups.map((group, at) => (
        <Group
          // biome-ignore lint/suspicious/noArrayIndexKey: a group is its place
          key={at}
          {...{ group, fields }}
          name={`Group ${at + 1}`}
          onPut={(next) => set(next ? groups.with(at, next) : groups.toSpliced(at, 1))}
        />
      ))}
      {groups.length < MOST_GROUPS && (
        <button type="button" className="button plain" onClick={add}>
          <Icon name="plus" />
          {groups.length ? 'Add a group' : 'Add a rule'}
        </button>
      )}
    </fieldset>
  )
}

interface GroupProps {
  group: Groups[number]
  name: string
  fields: ReadonlyMap<string, Field>
  /** Nothing: it goes with its last rule. */
  onPut(group: Groups[number] | undefined): void
}

function Group({ group, name, fields, onPut }: GroupProps) {
  const { match = 'ALL', rules } = group
  const [first] = fields.values()
  return (
    // biome-ignore lint/a11y/useSemanticElements: it stands in a fieldset of all of them
    <div className="rules" role="group" aria-label={name}>
      {rules.length > 1 && (
        <label className="match">
          Where
          <select
            className="field"
            value={match}
            onChange={({ target }) => onPut({ ...group, match: target.value as 'ALL' | 'ANY' })}
          >
            <option value="ALL">all of these fit</option>
            <option value="ANY">any of these fits</option>
          </select>
        </label>
      )}
      <ul>
        {rules.map((rule, at) => (
          <RuleLine
            // biome-ignore lint/suspicious/noArrayIndexKey: a rule is its place
            key={at}
            {...{ rule, fields }}
            onPut={(next) => onPut({ ...group, rules: rules.with(at, next) })}
            onDrop={() =>
              onPut(rules.length > 1 ? { ...group, rules: rules.toSpliced(at, 1) } : undefined)
            }
          />
        ))}
      </ul>
      {first && rules.length < MOST_RULES && (
        <button
          type="button"
          className="button quiet"
          onClick={() => onPut({ ...group, rules: [...rules, newRule(first)] })}
        >
          <Icon name="plus" />
          Add to this group
        </button>
      )}
    </div>
  )
}
