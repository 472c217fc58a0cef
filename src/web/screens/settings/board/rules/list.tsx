import { useState } from 'react'
import { useOperation } from '../../../../data/cache.ts'
import type { Input } from '../../../../data/client.ts'
import { sendWrite } from '../../../../data/write-queue.ts'
import type { BoardChoices, Definition, Rule } from '../../../../entities/task/rule/types.ts'
import { deleteLater, usePendingDeletes } from '../../../../kit/delayed-delete.ts'
import { Switch } from '../../../../kit/field.tsx'
import { Icon } from '../../../../kit/icon.tsx'
import { LoadError } from '../../../../kit/load-error.tsx'
import { Menu } from '../../../../kit/menu.tsx'
import { t } from '../../../../messages/t.ts'
import { SettingsSection } from '../../parts.tsx'
import { type PartProps, runWrite } from '../data.ts'
import { MANAGERS_ONLY } from '../parts.tsx'
import { patchRules, reloadRules, rulesQuery, useBoardChoices } from './data.ts'
import { RuleEditor } from './editor.tsx'
import { RuleLog } from './log.tsx'
import './rules.css'
import { RuleSummary } from '../../../../entities/task/rule/summary.tsx'
import { templatesFor } from './templates.ts'

interface Editing {
  rule?: Rule
  initial: Definition
}

const EMPTY: Definition = {
  when: { event: 'task_created' },
  conditions: { groups: [] },
  actions: [{ do: 'comment' }],
}

export default function Rules({ board, may }: PartProps) {
  const { project_id } = board
  const list = useOperation('rules.list', rulesQuery(project_id))
  const choices = useBoardChoices(board, may.manage)
  const [editing, setEditing] = useState<Editing>()
  const deleted = usePendingDeletes()
  if (!list.data) return <LoadError of={list} what={t('rules.rules_inline')} />
  const rules = list.data.items.filter(({ rule_id }) => !deleted.has(`rule ${rule_id}`))
  const close = () => setEditing(undefined)
  return (
    <SettingsSection
      title={t('rules.rules')}
      about={t('rules.a_rule_does_what_you_would_do')}
      readOnly={!may.manage && MANAGERS_ONLY}
    >
      {!rules.length && !editing && <p className="none">{t('rules.no_rules_yet')}</p>}
      <ul className="rows rules" aria-label={t('rules.rules')}>
        {rules.map((rule, at) => (
          <li key={rule.rule_id} className="board-row">
            {editing?.rule?.rule_id === rule.rule_id ? (
              <RuleEditor {...{ project_id, choices, ...editing }} onClose={close} />
            ) : (
              <RuleLine
                {...{ rule, choices, at, last: rules.length - 1, mayManage: may.manage }}
                onEdit={() => setEditing({ rule, initial: rule as Definition })}
              />
            )}
          </li>
        ))}
      </ul>
      {editing && !editing.rule && (
        <RuleEditor {...{ project_id, choices, ...editing }} onClose={close} />
      )}
      {may.manage && !editing && (
        <NewRule {...{ board, choices }} onPick={(initial) => setEditing({ initial })} />
      )}
    </SettingsSection>
  )
}

interface NewRuleProps {
  board: PartProps['board']
  choices: BoardChoices
  onPick(initial: Definition): void
}

const NewRule = ({ board, choices, onPick }: NewRuleProps) => (
  <div className="flex-wrap">
    <button type="button" className="button main" onClick={() => onPick(EMPTY)}>
      <Icon name="plus" />
      {t('rules.new_rule')}
    </button>
    <Menu
      label={t('rules.templates')}
      trigger={
        <button type="button" className="button plain">
          {t('rules.from_a_template')}
          <Icon name="chevron" />
        </button>
      }
      groups={[
        templatesFor(board, choices).map(({ name, definition }) => ({
          name,
          run: () => onPick(definition),
        })),
      ]}
    />
  </div>
)

interface LineProps {
  rule: Rule
  choices: BoardChoices
  at: number
  last: number
  mayManage: boolean
  onEdit(): void
}

function RuleLine({ rule, choices, at, last, mayManage, onEdit }: LineProps) {
  const [isLogShown, setLogShown] = useState(false)
  const { enabled, paused_reason } = rule
  return (
    <>
      <div className="first">
        <Switch
          checked={enabled}
          disabled={!mayManage}
          onChange={(isOn) => void setEnabled(rule, isOn)}
        >
          <span className="unseen">{rule.sentence}</span>
        </Switch>
        <span className={enabled ? 'who' : 'who off'}>
          <RuleSummary definition={rule as Definition} choices={choices} />
          {paused_reason && <span className="form-error">{paused_reason}</span>}
        </span>
        <button
          type="button"
          className="button quiet only"
          aria-expanded={isLogShown}
          onClick={() => setLogShown(!isLogShown)}
        >
          <Icon name="history" label={t('rules.log')} />
        </button>
        {mayManage && <RuleMenu {...{ rule, at, last, onEdit }} />}
      </div>
      {isLogShown && <RuleLog rule_id={rule.rule_id} />}
    </>
  )
}

const RuleMenu = ({
  rule,
  at,
  last,
  onEdit,
}: Pick<LineProps, 'rule' | 'at' | 'last' | 'onEdit'>) => (
  <Menu
    label={t('rules.rule')}
    trigger={
      <button type="button" className="button quiet only">
        <Icon name="dots" label={t('rules.more_about_the_rule')} />
      </button>
    }
    groups={[
      [
        { name: t('common.edit'), icon: 'pencil', run: onEdit },
        {
          name: t('settings.move_up'),
          icon: 'up',
          disabled: at === 0,
          run: () => void moveTo(rule, at - 1),
        },
        {
          name: t('settings.move_down'),
          icon: 'down',
          disabled: at === last,
          run: () => void moveTo(rule, at + 1),
        },
      ],
      [{ name: t('common.delete_name'), icon: 'trash', danger: true, run: () => remove(rule) }],
    ]}
  />
)

type Fields = Omit<Input<'rules.update'>, 'rule_id'>

const update = ({ project_id, rule_id }: Rule, fields: Fields, change: (rules: Rule[]) => Rule[]) =>
  runWrite({
    change: () => patchRules(project_id, change),
    async send() {
      await sendWrite('rules.update', { rule_id, ...fields })
      reloadRules()
    },
  })

const setEnabled = (rule: Rule, enabled: boolean) =>
  update(rule, { enabled }, (rules) =>
    rules.map((one) =>
      one.rule_id === rule.rule_id ? { ...one, enabled, paused_reason: null } : one,
    ),
  )

const moveTo = (rule: Rule, to: number) =>
  update(rule, { position: to + 1 }, (rules) =>
    rules.filter((one) => one.rule_id !== rule.rule_id).toSpliced(to, 0, rule),
  )

const remove = ({ rule_id }: Rule) =>
  deleteLater({
    what: `rule ${rule_id}`,
    message: t('rules.deleted_the_rule'),
    run: () => sendWrite('rules.delete', { rule_id }).finally(reloadRules),
  })
