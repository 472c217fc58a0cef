import { Fragment } from 'react'
import { t } from '../../../messages/t.ts'
import { ConditionsText } from './conditions-text.tsx'
import { ACTION_LABELS, TRIGGER_LABELS } from './names.ts'
import type { Action, BoardChoices, Definition, When } from './types.ts'
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
    {definition.conditions.groups.length > 0 && (
      <>
        {' '}
        <span className="soft">{t('rules.if')}</span>{' '}
        <ConditionsText conditions={definition.conditions} fields={choices.conditionFields} />
      </>
    )}{' '}
    <span className="soft">{t('rules.then')}</span>{' '}
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
