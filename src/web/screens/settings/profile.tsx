import { signOut } from '../../entities/user/me.ts'
import { SelectField } from '../../kit/field.tsx'
import { t } from '../../messages/t.ts'
import { languages } from './languages.ts'
import type { PartProps } from './part-props.ts'
import { SettingRow, SettingsPage, SettingsSection, TextRow } from './parts.tsx'
import { useProfile } from './profile-update.ts'
import { ZoneRow } from './zone-row.tsx'

export default function Profile({ me }: PartProps) {
  const { save, choose } = useProfile(me)
  const { profile } = me
  return (
    <SettingsPage
      title={t('settings.profile')}
      about={t('settings.how_the_people_and_agents_you_work')}
    >
      <SettingsSection title={t('common.you')}>
        <TextRow
          label={t('common.name')}
          hint={t('settings.shown_with_everything_you_do')}
          value={profile.display_name}
          maxLength={200}
          autoComplete="name"
          onSave={(display_name) => save({ display_name }, t('settings.changed_your_name'))}
        />
        <SettingRow
          label={t('settings.email')}
          hint={t('settings.for_signing_in_and_for_notifications')}
        >
          <span>{profile.email}</span>
        </SettingRow>
        <TextRow
          label={t('settings.picture')}
          hint={t('settings.an_https_address_for_other_programs_the')}
          value={profile.avatar ?? ''}
          maxLength={2000}
          placeholder={t('settings.https')}
          autoComplete="photo"
          onSave={(avatar) =>
            save(
              { avatar: avatar || null },
              avatar ? t('settings.changed_your_picture') : t('settings.removed_your_picture'),
            )
          }
        />
      </SettingsSection>
      <SettingsSection title={t('settings.preferences')}>
        <ZoneRow me={me} choose={choose} />
        <SelectField
          className="row"
          label={t('settings.language')}
          hint={t('settings.the_language_in_which_agents_and_programs')}
          value={profile.locale ?? 'en'}
          choices={languages(profile.locale)}
          onPick={(locale) => choose({ locale }, t('settings.changed_your_language'))}
        />
        <DefaultBoardField
          me={me}
          onPick={(default_board) =>
            choose({ default_board }, t('settings.changed_your_default_board'))
          }
        />
      </SettingsSection>
      <div className="flex-wrap">
        <button type="button" className="button plain" onClick={signOut}>
          {t('settings.sign_out')}
        </button>
      </div>
    </SettingsPage>
  )
}

function DefaultBoardField({
  me,
  onPick,
}: Pick<PartProps, 'me'> & { onPick(project_id: number | null): void }) {
  const boards = me.boards.map(({ project_id, title }) => [project_id, title] as const)
  return (
    <SelectField
      className="row"
      label={t('settings.default_board')}
      hint={t('settings.opens_first_and_gets_your_new_tasks')}
      value={me.profile.default_board ?? null}
      choices={[[null, t('common.none')], ...boards]}
      onPick={onPick}
    />
  )
}
