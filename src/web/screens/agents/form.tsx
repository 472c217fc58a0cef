import { useId } from 'react'
import {
  type Agent,
  levelOf,
  levelsOf,
  SCOPES,
  type Scope,
} from '../../entities/agent/descriptions.ts'
import type { Me } from '../../entities/user/me.ts'
import { Check, TextField } from '../../kit/field.tsx'
import { t } from '../../messages/t.ts'
import './form.css'

/** The editable fields of an agent. */
export interface Draft {
  name: string
  scopes: readonly Scope[]
  /** Null means all boards. */
  project_ids: readonly number[] | null
}

interface Props {
  me: Me
  team_id: number
  draft: Draft
  onChange(draft: Draft): void
  /** The agent being edited. Its own scopes stay selectable even if the user does not have them. */
  agent?: Agent
}

/** The form fields of an agent: name, scopes and boards. */
export function Fields({ me, team_id, draft, onChange, agent }: Props) {
  const update = (change: Partial<Draft>) => onChange({ ...draft, ...change })
  return (
    <>
      <TextField
        label={t('common.name')}
        name="name"
        placeholder={t('common.claude_on_my_laptop')}
        maxLength={200}
        required
        autoComplete="off"
        autoFocus
        value={draft.name}
        onChange={(name) => update({ name })}
      />
      <ScopeFields
        allowed={new Set<string>([...me.permissions, ...(agent?.scopes ?? [])])}
        scopes={draft.scopes}
        onChange={(scopes) => update({ scopes })}
      />
      <BoardFields
        boards={me.boards.filter((one) => one.team_id === team_id)}
        selected={draft.project_ids}
        onChange={(project_ids) => update({ project_ids })}
      />
    </>
  )
}

interface ScopeFieldsProps {
  allowed: ReadonlySet<string>
  scopes: readonly Scope[]
  onChange(scopes: readonly Scope[]): void
}

function ScopeFields({ allowed, scopes, onChange }: ScopeFieldsProps) {
  const levels = levelsOf(allowed)
  const level = levelOf(scopes, levels)
  const group = useId()
  const toggle = (scope: Scope) =>
    onChange(scopes.includes(scope) ? scopes.filter((one) => one !== scope) : [...scopes, scope])
  return (
    <fieldset>
      <legend>{t('agents.access')}</legend>
      <div className="levels">
        {levels.map((option) => (
          <label key={option.name} className="level">
            <input
              type="radio"
              name={group}
              checked={option.name === level?.name}
              onChange={() => onChange(option.scopes)}
            />
            <span>
              {option.name}
              <span className="soft">{option.description}</span>
            </span>
          </label>
        ))}
      </div>
      <details>
        <summary>
          {level ? t('agents.scopes') : t('agents.scopes_count_selected', { count: scopes.length })}
        </summary>
        <div className="scopes">
          {SCOPES.filter(([scope]) => allowed.has(scope)).map(([scope, description]) => (
            <Check key={scope} checked={scopes.includes(scope)} onChange={() => toggle(scope)}>
              <span>
                {description} <code>{scope}</code>
              </span>
            </Check>
          ))}
        </div>
      </details>
    </fieldset>
  )
}

interface BoardFieldsProps {
  boards: Me['boards']
  selected: readonly number[] | null
  onChange(selected: readonly number[] | null): void
}

function BoardFields({ boards, selected, onChange }: BoardFieldsProps) {
  const group = useId()
  const toggle = (id: number) =>
    onChange(
      selected?.includes(id) ? selected.filter((one) => one !== id) : [...(selected ?? []), id],
    )
  return (
    <fieldset>
      <legend>{t('common.boards')}</legend>
      <Check name={group} checked={selected === null} onChange={() => onChange(null)}>
        {t('agents.all_boards_that_its_owner_can_see')}
      </Check>
      <Check
        name={group}
        checked={selected !== null}
        disabled={!boards.length}
        onChange={() => onChange(boards[0] ? [boards[0].project_id] : null)}
      >
        {t('agents.only_these_boards')}
      </Check>
      {selected && (
        <div className="scopes">
          {boards.map(({ project_id, title }) => (
            <Check
              key={project_id}
              checked={selected.includes(project_id)}
              onChange={() => toggle(project_id)}
            >
              {title}
            </Check>
          ))}
        </div>
      )}
    </fieldset>
  )
}
