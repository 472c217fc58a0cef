import { useState } from 'react'
import { patchQuery, useOperation, useOperationMutation } from '../../../data/cache.ts'
import type { Input, Output } from '../../../data/client.ts'
import { ConfirmDialog } from '../../../kit/confirm-dialog.tsx'
import { SelectField, Switch, TextField } from '../../../kit/field.tsx'
import { useInlineEdit } from '../../../kit/inline-edit.tsx'
import { LoadError } from '../../../kit/load-error.tsx'
import { showError, showToast } from '../../../kit/toasts.tsx'
import { t } from '../../../messages/t.ts'
import { languages } from '../languages.ts'
import { SettingsSection } from '../parts.tsx'
import type { Team } from './permissions.ts'

type Policy = Output<'team_policy.get'>
type Change = Omit<Input<'team_policy.update'>, 'team_id'>

/** The rules of a team for joining, sign-in, sessions and keys. Only owners change them. */
export function TeamPolicy({ team: { team_id, role } }: { team: Team }) {
  const query = useOperation('team_policy.get', { team_id })
  const { mutateAsync } = useOperationMutation('team_policy.update')
  const save = async (change: Change) => {
    const { changed: _, ...policy } = await mutateAsync({ team_id, ...change })
    patchQuery('team_policy.get', { team_id }, () => policy)
    showToast(t('settings.changed_the_rules_of_the_team'))
  }
  return (
    <SettingsSection
      title={t('settings.sign_in_and_access')}
      about={t('settings.these_rules_apply_to_everybody_in_the')}
      readOnly={role !== 'owner' && t('settings.only_owners_of_the_team_can_change')}
    >
      {query.data ? (
        <Rules policy={query.data} disabled={role !== 'owner'} save={save} />
      ) : (
        <LoadError of={query} what={t('settings.the_rules_of_the_team')} />
      )}
    </SettingsSection>
  )
}

interface RulesProps {
  policy: Policy
  disabled: boolean
  save(change: Change): Promise<void>
}

function Rules({ policy, disabled, save }: RulesProps) {
  const { guests_allowed, email_domains, session_days, token_days, locale } = policy
  return (
    <>
      <Switch
        checked={guests_allowed}
        disabled={disabled}
        onChange={(allowed) => void save({ guests_allowed: allowed }).catch(showError)}
      >
        {t('settings.allow_guests')}
      </Switch>
      <SecondFactorRule {...{ policy, disabled, save }} />
      <RuleField
        label={t('settings.allowed_domains_optional')}
        hint={t('settings.only_addresses_of_these_domains_can_join')}
        value={email_domains?.join(', ') ?? ''}
        disabled={disabled}
        onSave={(text) => save({ email_domains: parseDomains(text) })}
      />
      <RuleField
        label={t('settings.days_until_a_browser_is_signed_out')}
        hint={t('settings.counted_from_the_sign_in_without_a')}
        value={String(session_days ?? '')}
        {...{ disabled, isNumeric: true }}
        onSave={async (text) => save({ session_days: parseDays(text) })}
      />
      <RuleField
        label={t('settings.longest_lifetime_of_new_keys_in_days')}
        hint={t('settings.also_of_access_tokens_existing_ones_stay')}
        value={String(token_days ?? '')}
        {...{ disabled, isNumeric: true }}
        onSave={async (text) => save({ token_days: parseDays(text) })}
      />
      <SelectField
        label={t('settings.language')}
        hint={t('settings.of_members_who_have_chosen_none')}
        value={locale}
        choices={[[null, t('settings.none_english')], ...languages(locale)]}
        disabled={disabled}
        onPick={(next) => void save({ locale: next }).catch(showError)}
      />
    </>
  )
}

interface RuleFieldProps {
  label: string
  hint: string
  value: string
  disabled: boolean
  isNumeric?: boolean
  onSave(text: string): Promise<unknown>
}

function RuleField({ label, hint, value, disabled, isNumeric, onSave }: RuleFieldProps) {
  const { type, error, field } = useInlineEdit(value, onSave)
  return (
    <TextField
      {...{ label, hint, disabled, error, ...field }}
      {...(isNumeric ? { inputMode: 'numeric', maxLength: 3 } : { maxLength: 2000 })}
      onChange={type}
    />
  )
}

const parseDomains = (text: string): string[] | null => {
  const domains = text.split(/[\s,]+/).filter(Boolean)
  return domains.length ? domains.map((domain) => domain.replace(/^@/, '')) : null
}

const MAX_DAYS = 365

function parseDays(text: string): number | null {
  if (!text) return null
  const days = Number(text)
  if (Number.isInteger(days) && days >= 1 && days <= MAX_DAYS) return days
  throw new Error(t('settings.enter_a_number_of_days_from_1', { max: MAX_DAYS }))
}

/** Shows how many people the rule would stop before it is turned on. */
function SecondFactorRule({ policy, disabled, save }: RulesProps) {
  const [isConfirming, setConfirming] = useState(false)
  const { second_factor_required: required, without_second_factor: missing } = policy
  const set = (next: boolean) => save({ second_factor_required: next })
  const close = () => setConfirming(false)
  return (
    <div>
      <Switch
        checked={required}
        disabled={disabled}
        onChange={(next) => (next ? setConfirming(true) : void set(false).catch(showError))}
      >
        {t('settings.require_a_second_factor')}
      </Switch>
      {missing !== null && missing > 0 && (
        <p className="soft">{t('settings.people_have_no_second_factor', { count: missing })}</p>
      )}
      {isConfirming && (
        <ConfirmDialog
          title={t('settings.require_a_second_factor_question')}
          submitLabel={t('settings.require_it')}
          onConfirm={() => set(true).then(close)}
          onClose={close}
        >
          <p>
            {missing ? `${t('settings.people_have_no_second_factor', { count: missing })} ` : ''}
            {t('settings.they_add_a_passkey_or_an_authenticator')}
          </p>
        </ConfirmDialog>
      )}
    </div>
  )
}
