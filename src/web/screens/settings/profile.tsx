import { signOut } from '../../entities/user/me.ts'
import { PictureField } from '../../entities/user/picture-field.tsx'
import { SelectField } from '../../kit/field.tsx'
import { showError } from '../../kit/toasts.tsx'
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
        <PictureRows me={me} save={save} />
      </SettingsSection>
      <SettingsSection title={t('settings.preferences')}>
        <ZoneRow me={me} choose={choose} />
        <LanguageField locale={profile.locale ?? 'auto'} save={save} />
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

interface LanguageProps {
  locale: string
  save: ReturnType<typeof useProfile>['save']
}

/** The page has one language, so it loads again. */
function LanguageField({ locale, save }: LanguageProps) {
  const pick = async (next: string) => {
    await save({ locale: next }, t('settings.changed_your_language'))
    location.reload()
  }
  return (
    <SelectField
      className="row"
      label={t('settings.language')}
      hint={t('settings.of_the_app_dates_and_emails')}
      value={locale}
      choices={[['auto', t('settings.the_language_of_the_browser')], ...languages(locale)]}
      onPick={(next) => void pick(next).catch(showError)}
    />
  )
}

interface PictureProps extends Pick<PartProps, 'me'> {
  save: ReturnType<typeof useProfile>['save']
}

function PictureRows({ me, save }: PictureProps) {
  const { avatar } = me.profile
  return (
    <>
      <SettingRow
        label={t('settings.picture')}
        hint={t('settings.shown_to_the_members_of_your_teams')}
      >
        <PictureField actor={actorOf(me)} />
      </SettingRow>
      <TextRow
        label={t('settings.address_of_a_picture')}
        hint={t('settings.an_https_address_for_other_programs_it')}
        value={isUploaded(me) ? '' : (avatar ?? '')}
        maxLength={2000}
        placeholder={t('settings.https')}
        autoComplete="photo"
        onSave={(url) =>
          save(
            { avatar: url || null },
            url ? t('settings.changed_your_picture') : t('settings.removed_your_picture'),
          )
        }
      />
    </>
  )
}

const actorOf = ({ profile: { user_id = 0, display_name: name } }: PartProps['me']) =>
  ({ kind: 'person', user_id, name }) as const

/** The address of an uploaded picture is only for programs. */
const isUploaded = ({ profile, server }: PartProps['me']) =>
  profile.avatar?.startsWith(`${server.url}/api/v1/avatars/`) ?? false

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
      choices={[[null, t('settings.no_default_board')], ...boards]}
      onPick={onPick}
    />
  )
}
