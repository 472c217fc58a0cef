import type { Input } from '../../data/client.ts'
import { Check, SelectField } from '../../kit/field.tsx'
import { t } from '../../messages/t.ts'

type Scopes = NonNullable<Input<'api_keys.create'>['scopes']>
type Scope = Scopes[number]

const NAMES: Record<Scope, string> = {
  'profile:read': t('settings.see_your_profile_and_boards'),
  'profile:write': t('settings.change_your_profile'),
  'keys:read': t('settings.list_keys_and_tokens'),
  'keys:manage': t('settings.create_and_revoke_keys'),
  'teams:read': t('settings.see_teams_and_their_members'),
  'teams:manage': t('settings.manage_teams'),
  'agents:manage': t('settings.manage_agents'),
  'projects:read': t('settings.see_boards'),
  'projects:write': t('settings.create_and_change_boards'),
  'projects:instruct': t('settings.change_playbooks_instructions_and_board'),
  'projects:manage': t('settings.archive_and_delete_boards'),
  'tasks:read': t('settings.read_tasks'),
  'tasks:write': t('settings.write_tasks_and_comments'),
  'pages:read': t('settings.read_pages'),
  'pages:write': t('settings.write_pages'),
}

const ALL = Object.keys(NAMES) as Scopes

/** All of the user's scopes, including later ones; only the reading ones; or a selection. */
export type ScopesSelection = { what: 'all' | 'read' } | { what: 'some'; scopes: Scopes }

export const scopesOf = (may: ScopesSelection, ownScopes: readonly string[]): Scopes | undefined =>
  may.what === 'all'
    ? undefined
    : may.what === 'some'
      ? may.scopes
      : (ownScopes as Scopes).filter((scope) => scope.endsWith(':read'))

/** A short description of a credential's scopes. */
export function scopesText(scopes: readonly string[] | null): string {
  if (!scopes) return t('settings.full_access')
  if (scopes.every((scope) => scope.endsWith(':read'))) return t('settings.read_only_inline')
  return t('settings.count_scopes', { count: scopes.length })
}

/** The full list of scopes. */
export const scopesList = (scopes: readonly string[] | null) =>
  (scopes ?? []).map((scope) => NAMES[scope as Scope] ?? scope).join(', ')

interface FieldProps {
  may: ScopesSelection
  onMay(may: ScopesSelection): void
}
interface ChoiceProps extends FieldProps {
  /** The user's own scopes; a credential cannot have more. */
  ownScopes: readonly string[]
}

const MODES = [
  ['all', t('settings.full_access_name')],
  ['read', t('settings.read_only')],
  ['some', t('settings.selected_scopes')],
] as const

export const ScopesField = ({ may, onMay }: FieldProps) => (
  <SelectField
    label={t('settings.access')}
    value={may.what}
    choices={MODES}
    onPick={(what) => onMay(what === 'some' ? { what, scopes: [] } : { what })}
  />
)

export function ScopesChoice({ ownScopes, may, onMay }: ChoiceProps) {
  if (may.what !== 'some') return null
  const toggle = (scope: Scope, isSelected: boolean) =>
    onMay({
      ...may,
      scopes: isSelected ? [...may.scopes, scope] : may.scopes.filter((one) => one !== scope),
    })
  return (
    <fieldset className="choice-grid">
      <legend className="unseen">{t('settings.scopes')}</legend>
      {ALL.filter((scope) => ownScopes.includes(scope)).map((scope) => (
        <Check
          key={scope}
          checked={may.scopes.includes(scope)}
          onChange={(checked) => toggle(scope, checked)}
        >
          {NAMES[scope]}
        </Check>
      ))}
    </fieldset>
  )
}
