import type { Input } from '../../data/client.ts'
import { Check } from '../../kit/field.tsx'
import { t } from '../../messages/t.ts'

type Kinds = NonNullable<Input<'mail.update'>['kinds']>
type Kind = Kinds[number]

/** The kinds of notifications, most urgent first. */
const NAMES: Record<Kind, string> = {
  escalated: t('settings.an_agent_needs_your_input'),
  decision_requested: t('settings.somebody_asks_you_for_a_decision'),
  decision_answered: t('settings.your_decision_request_is_answered'),
  run_waiting: t('settings.an_agent_waits_for_your_answer'),
  mentioned: t('settings.somebody_mentions_you'),
  replied: t('settings.somebody_replies_to_you'),
  assigned: t('settings.a_task_is_assigned_to_you'),
  unassigned: t('settings.you_are_unassigned_from_a_task'),
  moved_to_inbox: t('settings.somebody_adds_a_task_to_your_inbox'),
  overdue: t('settings.one_of_your_tasks_is_overdue'),
  due_soon: t('settings.one_of_your_tasks_is_due_soon'),
  commented: t('settings.somebody_comments_on_one_of_your_tasks'),
  reacted: t('settings.somebody_reacts_to_your_comment'),
  run_finished: t('settings.an_agent_finishes_a_run'),
  budget_reached: t('settings.an_agent_reaches_a_budget'),
}

interface Props {
  kinds: Kinds
  /** Null selects the important kinds. */
  change(kinds: Kinds | null): void
}

export function KindsForm({ kinds, change }: Props) {
  const toggle = (kind: Kind, isSelected: boolean) =>
    change(isSelected ? [...kinds, kind] : kinds.filter((one) => one !== kind))
  return (
    <>
      <fieldset className="choice-grid">
        <legend className="unseen">{t('settings.send_email_for')}</legend>
        {(Object.keys(NAMES) as Kind[]).map((kind) => {
          const isSelected = kinds.includes(kind)
          return (
            <Check
              key={kind}
              checked={isSelected}
              // At least one kind stays selected; to get none, email is turned off.
              disabled={isSelected && kinds.length === 1}
              onChange={(checked) => toggle(kind, checked)}
            >
              {NAMES[kind]}
            </Check>
          )
        })}
      </fieldset>
      <div className="flex-wrap">
        <button type="button" className="button plain" onClick={() => change(null)}>
          {t('settings.important_only')}
        </button>
      </div>
    </>
  )
}
