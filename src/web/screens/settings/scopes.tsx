import type { Input } from '../../data/client.ts'
import { Check, SelectField } from '../../kit/field.tsx'

type Scopes = NonNullable<Input<'api_keys.create'>['scopes']>
type Scope = Scopes[number]

const NAMES: Record<Scope, string> = {
  'profile:read': 'See your profile and boards',
  'profile:write': 'Change your profile',
  'keys:read': 'List keys and tokens',
  'keys:manage': 'Create and revoke keys',
  'teams:read': 'See teams and their members',
  'teams:manage': 'Manage teams',
  'agents:manage': 'Manage agents',
  'projects:read': 'See boards',
  'projects:write': 'Create and change boards',
  'projects:instruct': 'Change playbooks, instructions and board skills',
  'projects:manage': 'Archive and delete boards',
  'tasks:read': 'Read tasks',
  'tasks:write': 'Write tasks and comments',
  'pages:read': 'Read pages',
  'pages:write': 'Write pages',
}

const ALL = Object.keys(NAMES) as Scopes

/** All of the user's scopes, including later ones; only the reading ones; or a selection. */
export type ScopesSelection = { what: 'all' | 'read' } | { what: 'some'; scopes: Scopes }

export const scopesOf = (may: ScopesSelection, own: readonly string[]): Scopes | undefined =>
  may.what === 'all'
    ? undefined
    : may.what === 'some'
      ? may.scopes
      : (own as Scopes).filter((scope) => scope.endsWith(':read'))

/** A short description of a credential's scopes. */
export function scopesText(scopes: readonly string[] | null): string {
  if (!scopes) return 'full access'
  if (scopes.every((scope) => scope.endsWith(':read'))) return 'read-only'
  return `${scopes.length} ${scopes.length === 1 ? 'scope' : 'scopes'}`
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
  own: readonly string[]
}

const MODES = [
  ['all', 'Full access'],
  ['read', 'Read only'],
  ['some', 'Selected scopes'],
] as const

export const ScopesField = ({ may, onMay }: FieldProps) => (
  <SelectField
    label="Access"
    value={may.what}
    choices={MODES}
    onPick={(what) => onMay(what === 'some' ? { what, scopes: [] } : { what })}
  />
)

export function ScopesChoice({ own, may, onMay }: ChoiceProps) {
  if (may.what !== 'some') return null
  const toggle = (scope: Scope, isSelected: boolean) =>
    onMay({
      ...may,
      scopes: isSelected ? [...may.scopes, scope] : may.scopes.filter((one) => one !== scope),
    })
  return (
    <fieldset className="many">
      <legend className="unseen">Scopes</legend>
      {ALL.filter((scope) => own.includes(scope)).map((scope) => (
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
