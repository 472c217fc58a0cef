import { Fragment } from 'react'
import { t } from '../../../../messages/t.ts'
import type { Action, BoardChoices, Conditions, Definition, When } from './data.ts'
import { ACTION_LABELS, CONDITION_LABELS, OPERATOR_LABELS, TRIGGER_LABELS } from './names.ts'
import { shownValues } from './values.ts'

interface Props {
  definition: Definition
  choices: BoardChoices
}

/** A rule as a line that reads like a sentence. */
export const RuleSummary = ({ definition, choices }: Props) => (
  <span className="rule-summary">
    <span className="soft">{t('rules.when')}</span>{' '}
    <Part label={TRIGGER_LABELS[definition.when.event]} of={definition.when} choices={choices} />
    <ConditionsText {...definition.conditions} /> <span className="soft">{t('rules.then')}</span>{' '}
    {definition.actions.map((action, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: actions have no ids and are not reordered here
      <Fragment key={at}>
        {at > 0 && ', '}
        <Part label={ACTION_LABELS[action.do]} of={action} choices={choices} />
      </Fragment>
    ))}
  </span>
)

interface PartProps {
  label: string
  of: When | Action
  choices: BoardChoices
}

const Part = ({ label, of, choices }: PartProps) => (
  <>
    {label}
    {shownValues(of, choices).map((word) => (
      <Fragment key={word}>
        {' '}
        <b dir="auto">{word}</b>
      </Fragment>
    ))}
  </>
)

const ConditionsText = ({ groups }: Conditions) =>
  groups.length > 0 && (
    <>
      {' '}
      <span className="soft">{t('rules.if')}</span>{' '}
      {groups
        .flatMap(({ rules }) => rules)
        .map(({ field, op, value }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no ids
          <Fragment key={at}>
            {at > 0 && ', '}
            {CONDITION_LABELS[field] ?? field} {OPERATOR_LABELS[op] ?? op.replaceAll('_', ' ')}{' '}
            <b dir="auto">{Array.isArray(value) ? value.join(', ') : String(value ?? '')}</b>
          </Fragment>
        ))}
    </>
  )
