import { useState } from 'react'
import {
  ACTION_NAMES,
  type ActionName,
  TRIGGER_NAMES,
  type TriggerName,
} from '../../../../../kernel/board-rules.ts'
import { sendWrite } from '../../../../data/write-queue.ts'
import { FilterGroups } from '../../../../entities/task/condition/groups.tsx'
import { ACTION_LABELS, TRIGGER_LABELS } from '../../../../entities/task/rule/names.ts'
import type {
  Action,
  BoardChoices,
  Definition,
  Rule,
} from '../../../../entities/task/rule/types.ts'
import { Form, FormFooter } from '../../../../kit/form.tsx'
import { Icon } from '../../../../kit/icon.tsx'
import { showToast } from '../../../../kit/toasts.tsx'
import { t } from '../../../../messages/t.ts'
import { ChoiceButton } from './choice-button.tsx'
import { reloadRules } from './data.ts'
import { PartFields } from './part-fields.tsx'
import { Preview } from './preview.tsx'

interface Props {
  project_id: number
  /** The rule that is edited; absent for a new one. */
  rule?: Rule | undefined
  initial: Definition
  choices: BoardChoices
  onClose(): void
}

const TRIGGERS = TRIGGER_NAMES.map((value) => ({ value, name: TRIGGER_LABELS[value] }))
const ACTIONS = ACTION_NAMES.map((value) => ({ value, name: ACTION_LABELS[value] }))

/** The editor of a rule: a sentence whose words are pickers. */
export function RuleEditor({ project_id, rule, initial, choices, onClose }: Props) {
  const [definition, setDefinition] = useState(initial)
  const change = (changes: Partial<Definition>) => setDefinition({ ...definition, ...changes })
  const { when, conditions, actions } = definition
  const save = async () => {
    await (rule
      ? sendWrite('rules.update', { rule_id: rule.rule_id, ...definition })
      : sendWrite('rules.create', { project_id, ...definition }))
    reloadRules()
    showToast(rule ? t('rules.saved_the_rule') : t('rules.created_the_rule'))
    onClose()
  }
  return (
    <Form className="form rule-editor" label={t('rules.rule')} onSubmit={save}>
      <fieldset>
        <legend>{t('rules.when')}</legend>
        <div className="clause">
          <ChoiceButton<TriggerName>
            label={t('rules.when')}
            value={when.event}
            choices={TRIGGERS}
            onPick={(event) => change({ when: { event } })}
          />
          <PartFields
            {...{ choices, values: when }}
            onChange={(changes) => change({ when: { ...when, ...changes } as Definition['when'] })}
          />
        </div>
      </fieldset>
      <fieldset>
        <legend>{t('rules.if')}</legend>
        {conditions.groups.length > 1 && <p className="soft">{t('rules.all_groups_must_match')}</p>}
        <FilterGroups
          groups={conditions.groups}
          fields={choices.conditionFields}
          onChange={(groups) => change({ conditions: { groups } })}
        />
      </fieldset>
      <fieldset>
        <legend>{t('rules.then')}</legend>
        <Actions {...{ actions, choices }} onChange={(next) => change({ actions: next })} />
      </fieldset>
      <Preview {...{ project_id, definition }} />
      <FormFooter onCancel={onClose}>{rule ? t('common.save') : t('rules.create_rule')}</FormFooter>
    </Form>
  )
}

interface ActionsProps {
  actions: readonly Action[]
  choices: BoardChoices
  onChange(actions: Action[]): void
}

const Actions = ({ actions, choices, onChange }: ActionsProps) => (
  <>
    {actions.map((action, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: actions have no ids
      <div className="clause" key={at}>
        <ChoiceButton<ActionName>
          label={t('rules.action')}
          value={action.do}
          choices={ACTIONS}
          onPick={(name) => onChange(actions.with(at, { do: name }))}
        />
        <PartFields
          {...{ choices, values: action }}
          onChange={(changes) => onChange(actions.with(at, { ...action, ...changes } as Action))}
        />
        {actions.length > 1 && (
          <button
            type="button"
            className="button quiet only"
            onClick={() => onChange(actions.toSpliced(at, 1))}
          >
            <Icon name="close" label={t('rules.remove_the_action')} />
          </button>
        )}
      </div>
    ))}
    {actions.length < 10 && (
      <button
        type="button"
        className="button quiet"
        onClick={() => onChange([...actions, { do: 'comment' }])}
      >
        <Icon name="plus" />
        {t('rules.add_an_action')}
      </button>
    )}
  </>
)
