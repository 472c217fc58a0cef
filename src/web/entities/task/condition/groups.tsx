import { Icon } from '../../../kit/icon.tsx'
import { t } from '../../../messages/t.ts'
import { Condition, type ConditionProps } from './condition.tsx'
import { newRule } from './fields.tsx'
import type { Groups } from './filter.ts'
import './groups.css'

const MAX_GROUPS = 10
const MAX_RULES = 20

interface Props extends Pick<ConditionProps, 'fields' | 'countOf'> {
  groups: Groups
  onChange(groups: Groups): void
}

/** Groups of conditions, of which all or any must match. */
export function FilterGroups({ groups, fields, countOf, onChange }: Props) {
  const [first] = fields.values()
  const add = () => first && onChange([...groups, { match: 'ALL', rules: [newRule(first)] }])
  return (
    <>
      {groups.map((group, index) => (
        <Group
          // biome-ignore lint/suspicious/noArrayIndexKey: groups are identified by their position
          key={index}
          {...{ group, fields, countOf }}
          name={t('board.group_value', { value: index + 1 })}
          onChange={(next) =>
            onChange(next ? groups.with(index, next) : groups.toSpliced(index, 1))
          }
        />
      ))}
      {groups.length < MAX_GROUPS && (
        <button type="button" className="button plain" onClick={add}>
          <Icon name="plus" />
          {groups.length ? t('board.add_group') : t('board.add_a_condition')}
        </button>
      )}
    </>
  )
}

interface GroupProps extends Pick<ConditionProps, 'fields' | 'countOf'> {
  group: Groups[number]
  name: string
  /** Undefined removes the group, with its last rule. */
  onChange(group: Groups[number] | undefined): void
}

function Group({ group, name, fields, countOf, onChange }: GroupProps) {
  const { match = 'ALL', rules } = group
  const [first] = fields.values()
  return (
    // biome-ignore lint/a11y/useSemanticElements: it stands in a fieldset of all of them
    <div className="filter-group" role="group" aria-label={name}>
      {rules.length > 1 && (
        <label className="match flex-row soft">
          {t('board.where')}
          <select
            className="field"
            value={match}
            onChange={({ target }) => onChange({ ...group, match: target.value as 'ALL' | 'ANY' })}
          >
            <option value="ALL">{t('board.all_conditions_match')}</option>
            <option value="ANY">{t('board.any_condition_matches')}</option>
          </select>
        </label>
      )}
      <ul>
        {rules.map((rule, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rules are identified by their position
          <li key={index}>
            <Condition
              {...{ rule, fields, countOf }}
              onChange={(next) => onChange({ ...group, rules: rules.with(index, next) })}
              onDrop={() =>
                onChange(
                  rules.length > 1 ? { ...group, rules: rules.toSpliced(index, 1) } : undefined,
                )
              }
            />
          </li>
        ))}
      </ul>
      {first && rules.length < MAX_RULES && (
        <button
          type="button"
          className="button quiet"
          onClick={() => onChange({ ...group, rules: [...rules, newRule(first)] })}
        >
          <Icon name="plus" />
          {t('board.add_condition_to_group')}
        </button>
      )}
    </div>
  )
}
